/** Thrown where a document leaves the grammar of plain documents. The message continues "the document has …", and quotes nothing. */
export class NotPlain extends Error {
  override name = 'NotPlain'
}
