/**
 * What operators see of a receiver's answer: an answer may repeat an event, or name a patient, so only words of the list below and
 * HTTP statuses are kept. Everything else is replaced before the answer is stored. Pure. choice: Answers of receivers
 */

/** Returns the beginning of an answer as it may be kept; null for an answer without text. */
export function shownAnswer(answer: Uint8Array): string | null {
  const text = new TextDecoder().decode(answer.subarray(0, READ_BYTES)).slice(0, MAX_SHOWN)
  const shown = (text.match(TOKENS) ?? []).map((token) => (isHarmless(token) ? token : WITHHELD)).join('')
  const folded = shown
    .replace(/\s+/g, ' ')
    .replace(/…(?:[^\w…]*…)+/g, WITHHELD)
    .trim()
  return folded === '' ? null : folded
}

/** How much of an answer is read: a character takes up to four bytes. */
export const READ_BYTES = 2_000
const MAX_SHOWN = 500
const WITHHELD = '…'

/** Words, also those inside `camelCase`; numbers with what divides a date or a telephone number; blanks; single other characters. */
const TOKENS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d[\d.,/:+-]*|\s+|[^A-Za-z\d\s]/gu

const isHarmless = (token: string): boolean =>
  /^\s+$/.test(token) ||
  /^[1-5]\d\d$/.test(token) ||
  /^[{}[\]()<>"':;,.!?/=_\\*#&%-]$/.test(token) ||
  WORDS.has(token.toLowerCase())

/** Words that servers say about requests. No given name and no word about a person, an illness, or a place. */
const WORDS: ReadonlySet<string> = new Set(
  `a accept accepted access account active after again already allowed an and api are as at authentication authorization authorized
  auth backend bad be because been before body br busy but by bytes cache cannot certificate check client closed code conflict connect
  connection content could data database deadlock denied deprecated description detail details did disabled does duplicate empty
  enabled endpoint error errors event exceeded exception exist exists expected expired external fail failed failure false
  fatal field fields file for forbidden format found from full gateway gone handler h has have head header headers hmac host hr html http https
  id identifier in incorrect index insufficient integrity internal invalid is issue it json jwt key large length level limit line
  loaded locked maintenance malformed match matching memory message messages method mismatch missing module moved must name network
  nginx no node not null object of ok on open operation or out overloaded parameter parse parser path payload permission permitted
  please pool present problem processed processing property proxy queue queued rate read reason received receiver refused rejected
  request requests required reset resource response retry route schema secret sent server service session sha signature signed
  socket space stack stale started status stopped storage stream string success successful supported syntax system temporarily
  temporary terminated the this throttled time timed timeout timestamp title tls to token tolerance too true try type unable unauthorized
  unavailable undefined unexpected unique unknown unprocessable unsupported update upstream uri url user valid validation value verification verify
  version was webhook while with wrong xml`.split(/\s+/),
)
