/** Errors of the service as people read them: the field by its name, never by its path in a message. Pure. */

/** Returns the error with the path at its beginning replaced by a name, and as a sentence. */
export function errorInWords(error: string, names: FieldNames): string {
  const [, path, rest] = PATH.exec(error) ?? []
  if (path === undefined || rest === undefined) return error
  const words = `${nameOf(path, names)}: ${rest}`
  return /[.!?…]$/.test(words) ? words : `${words}.`
}

/** `npi: …`, `addresses[0].postalCode: …` */
const PATH = /^([a-z]\w*(?:\[\d+\])?(?:\.[a-z]\w*(?:\[\d+\])?)*): (.+)$/s

function nameOf(path: string, names: FieldNames): string {
  const last =
    path
      .replace(/\[\d+\]$/, '')
      .split('.')
      .at(-1) ?? path
  const known = names[last]
  if (known) return known
  const words = last.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}

/** Names of fields by their last word in a path; any other is named by the words of its path. */
export type FieldNames = Readonly<Record<string, string>>
