/** The settings of the timestamp authority: their form, and which of them need one another. Pure. */
import { bareHost, isLoopbackHost } from '../delivery/target.ts'
import { type GivenSettings, type Missing, namesOf } from './whole-settings.ts'

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

/** Returns what is missing or must not be there. What is wrong by itself is not named again. */
export function timestampsTogether({ timestampUrl, timestampPassword, timestampHeader }: GivenSettings): Missing[] {
  if (typeof timestampUrl !== 'string')
    return namesOf({ timestampPassword, timestampHeader }).map((name) => [name, 'needs {timestampUrl}'])
  if (!isAuthority(timestampUrl)) return []
  const url = new URL(timestampUrl)
  if (timestampHeader !== undefined && !isPrivate(url))
    return [['timestampUrl', 'an https:// URL, because a header goes to it']]
  if (url.username === '' || timestampPassword !== undefined) return []
  return [['timestampPassword', 'needed with a user in {timestampUrl}']]
}

/** Returns whether what is sent there cannot be read on the way. */
const isPrivate = (url: URL): boolean => url.protocol === 'https:' || isLoopbackHost(bareHost(url))
