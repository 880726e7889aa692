/** Errors of the service as people read them: the field by its name, never by its path in a message. Pure. */

/** Returns the error with the path at its beginning replaced by a name, and as a sentence. */
export function errorInWords(error: string): string {
  const [, path, rest] = PATH.exec(error) ?? []
  if (path === undefined || rest === undefined) return error
  const words = `${nameOf(path)}: ${rest}`
  return /[.!?…]$/.test(words) ? words : `${words}.`
}

/** `npi: …`, `addresses[0].postalCode: …` */
const PATH = /^([a-z]\w*(?:\[\d+\])?(?:\.[a-z]\w*(?:\[\d+\])?)*): (.+)$/s

function nameOf(path: string): string {
  const last =
    path
      .replace(/\[\d+\]$/, '')
      .split('.')
      .at(-1) ?? path
  const known = NAMES[last]
  if (known) return known
  const words = last.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}

/** Names that are not the words of the field itself. */
const NAMES: Readonly<Record<string, string>> = {
  npi: 'NPI',
  userNPI: 'NPI',
  email: 'E-mail',
  expiresAt: 'Expires',
  keyId: 'Key',
  organizationId: 'Organization',
  organizationIds: 'Organizations',
  personName: 'Owner',
  until: 'Valid until',
}
