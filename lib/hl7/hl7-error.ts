/** Why a message cannot be read. No text repeats a value of the message. */

/** A message that is not HL7 v2, or whose characters cannot be determined. */
export class Hl7Error extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'Hl7Error'
}

/** A message that is in another character set than it names, or in one that is not known. */
export class CharacterSetError extends Hl7Error {}
