/** Texts that senders write where an id is required and none exists. Records that share one would become one patient. Pure. */

/** Abbreviations, which are placeholders only when nothing else is there. */
const ABBREVIATIONS = new Set('UNK UNKN NA NAN NULL NIL NI ASKU NASK NAV TBD TBA XX XXX JOHNDOE JANEDOE'.split(' '))

/** Words that say that there is no id; those with one or two digits after them are no ids either. */
const NO_ID =
  'UNKNOWN|UNIDENTIFIED|UNASSIGNED|UNSPECIFIED|UNDEFINED|UNREGISTERED|UNAVAILABLE|NONE|PENDING|MISSING|BLANK'
/** Words that are no ids among themselves: `not on file`, `to be assigned`, `see note`. */
const OTHERS =
  'NOT|NO|EMPTY|ASSIGNED|ASSIGNMENT|AVAILABLE|APPLICABLE|SPECIFIED|REGISTERED|RECORDED|PROVIDED|GIVEN|ENTERED|KNOWN|' +
  'FOUND|REFUSED|DECLINED|DELETED|INVALID|ERROR|NEW|TEST|TEMPORARY|TEMP|DUMMY|DEFAULT|ANONYMOUS|TRAUMA|SYSTEM|AUTO|' +
  'GENERATED|TO|BE|YET|DETERMINED|ON|FILE|SEE|NOTE|PATIENT|PERSON|DOCTOR|PROVIDER|PHYSICIAN|VISIT|ORDER|DOCUMENT|' +
  'IDENTIFIER|ID|NUMBER|MRN'
const WORDS = new RegExp(`^(?:(?:${NO_ID}|${OTHERS})+|(?:${NO_ID})\\d{1,2})$`)

/** Whether a text is no id of one record: empty, words such as UNKNOWN, zeros, or one character repeated. */
export function isPlaceholder(value: string): boolean {
  const bare = value.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  if (bare === '' || ABBREVIATIONS.has(bare) || /^0+$/.test(bare) || /^(.)\1{3,}$/u.test(bare)) return true
  if (/^#[A-Z/0]{2,8}[!?]?$/i.test(value.trim())) return true
  // No more is read of a long text: the words are matched in every division.
  return bare.length <= 60 && WORDS.test(bare)
}
