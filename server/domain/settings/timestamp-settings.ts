/** Which settings of the timestamp authority fit together. Pure. */
import { bareHost, isLoopbackHost } from '../delivery/target.ts'

/** http or https, because the authority signs its answers; a user is sent over https alone, or on this machine. */
export function isAuthority(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const isBare = url.password === '' && url.hash === ''
  return ['http:', 'https:'].includes(url.protocol) && isBare && (url.username === '' || isPrivate(url))
}

/** One line, `Name: value`. */
export const isHeader = (text: string): boolean => /^[\w-]+:[ \t]*[\x21-\x7e][\x20-\x7e]*$/.test(text)

export const isPem = (text: string): boolean => /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.test(text)

/**
 * Returns settings that are missing or not allowed together, by name. Values that are invalid by themselves are reported
 * elsewhere.
 */
export function wrongTimestampSettings({
  timestampUrl,
  timestampPassword,
  timestampHeader,
}: Record<string, unknown>): [name: string, right: string][] {
  if (typeof timestampUrl !== 'string') {
    const orphans = Object.entries({ timestampPassword, timestampHeader }).filter(([, value]) => value !== undefined)
    return orphans.map(([name]) => [name, 'needs --timestamp-url'])
  }
  if (!isAuthority(timestampUrl)) return []
  const url = new URL(timestampUrl)
  if (timestampHeader !== undefined && !isPrivate(url))
    return [['timestampUrl', 'an https:// URL, because a header goes to it']]
  if (url.username === '' || timestampPassword !== undefined) return []
  return [
    [
      'timestampUrl',
      'set COUNTERSIGN_TIMESTAMP_PASSWORD to the password of the user, or give --timestamp-password-file',
    ],
  ]
}

/** No one on the way reads what is sent there. */
const isPrivate = (url: URL): boolean => url.protocol === 'https:' || isLoopbackHost(bareHost(url))
