/** Thrown where a document leaves the grammar of plain documents. The message continues "the document has …", and quotes nothing. */
export class NotPlain extends Error {
  override name = 'NotPlain'
}

/** The same where a font is to blame that is not in the file: with a font in it, the document might be plain. */
export class FontMissing extends NotPlain {
  override name = 'FontMissing'
}

/** The same where a color profile is to blame: with colors of a screen, the document might be plain. */
export class ProfileUnknown extends NotPlain {
  override name = 'ProfileUnknown'
}
