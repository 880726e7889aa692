/** Whether the values that are sent are text alone. Pure. */
import type { Message } from '../../hl7/message.ts'
import type { Findings } from '../findings.ts'
import { holdHidden } from '../readable-ids.ts'
import { isUnreadable } from '../usable-names.ts'

/**
 * Holds the message when a text that would be sent has an escape that is no character, such as the beginning of another character set
 * (`\C2842\`, `\M2442\`) or of highlighting (`\H\`), or a character that no text has: the name or id without it may be another one.
 * @param values the request, or the ids of a withdrawal
 */
export function holdEscapes(values: object, message: Message, findings: Findings): void {
  const kept = keptEscape(message)
  const ids: [string, string][] = []
  for (const [field, text] of textsIn(values)) {
    // The id of a patient has its own escapes of `\`.
    const plain = text.replaceAll('\\E\\', '\\')
    if (kept.test(plain)) findings.hold(placeOf(field, findings), 'has an escape that does not represent a character')
    else if (isUnreadable(plain)) findings.hold(placeOf(field, findings), 'has a character that cannot be read')
    else if (OF_IDS.test(field)) ids.push([placeOf(field, findings), plain])
  }
  holdHidden(ids, findings)
}

/** The fields of the request, and the other ids, that identify a record. */
const OF_IDS = /(?:^|\.)externalId$|externalDocId$|^aliases\b|^TXA-13$|identifiers\[\d+\]\.value$/

/** Returns what matches an escape that `readEscapes` keeps. One of a character set, or of bytes, also counts when its end is missing. */
function keptEscape({ delimiters }: Message): RegExp {
  const mark = `\\u{${delimiters.escapeCharacter.codePointAt(0)!.toString(16)}}`
  return new RegExp(
    `${mark}(?:[CM][0-9A-F]{4}|X[0-9A-F]{2}|(?:[HN]|[CMXZ][^\\s${mark}]*|\\.[A-Z]{2}[+-]?\\d*)${mark})`,
    'iu',
  )
}

/** Yields each text with its place in the request. The PDF is Base64. */
function* textsIn(value: unknown, field = ''): Generator<[string, string], void> {
  if (typeof value === 'string') yield [field, value]
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) {
      const name = Array.isArray(value) ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`
      if (name !== 'document.attachment') yield* textsIn(part, name)
    }
}

/** Returns where a field of the request comes from; the field itself where that is not known. */
function placeOf(field: string, { origins }: Findings): string {
  const known = Object.keys(origins).filter((name) => field === name || field.startsWith(`${name}.`))
  return origins[known.at(-1) ?? ''] ?? field
}
