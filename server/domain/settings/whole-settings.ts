/**
 * Settings that need one another. Secrets may be there without what they are for, because the environment of a service is also that of
 * its commands. What is missing is said at the setting that is missing; `{name}` represents another setting.
 * Pure.
 */
import { isMailServer } from './mail-server.ts'
import { isProxy } from './proxy.ts'

/** Settings as they were given; each may be wrong by itself. */
export type GivenSettings = Readonly<Record<string, unknown>>

/** A setting, and what is missing. */
export type Missing = [name: string, right: string]

/** Single sign-on needs all of its settings, and passwords end only where there is another way in. */
export function signOnTogether(given: GivenSettings): Missing[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, publicUrl, passwords = 'on' } = given
  if (oidcIssuer !== undefined) return needed({ oidcClientId, oidcClientSecret, publicUrl }, 'needed with {oidcIssuer}')
  const orphans = namesOf({ oidcClientId }).map((name): Missing => [name, 'needs {oidcIssuer}'])
  return passwords === 'on' ? orphans : [...orphans, ['passwords', 'needs {oidcIssuer}, or no one could sign in']]
}

/** Notices need a sender and the address of the inbox, and a user at the mail server needs a password. */
export function mailTogether({ smtpUrl, smtpFrom, smtpPassword, publicUrl }: GivenSettings): Missing[] {
  if (smtpUrl === undefined) return namesOf({ smtpFrom }).map((name) => [name, 'needs {smtpUrl}'])
  return [
    ...needed({ smtpFrom, publicUrl }, 'needed with {smtpUrl}'),
    ...(hasUser(smtpUrl, isMailServer) ? needed({ smtpPassword }, 'needed with a user in {smtpUrl}') : []),
  ]
}

/** A bucket needs a server and a key. */
export function bucketTogether({ documents, ...given }: GivenSettings): Missing[] {
  const { documentsEndpoint, documentsKeyId, documentsSecret } = given
  const place = { documentsEndpoint, documentsKeyId }
  if (documents !== undefined) return needed({ ...place, documentsSecret }, 'needed with {documents}')
  return namesOf(place).map((name) => [name, 'needs {documents}'])
}

export function proxyTogether({ proxy, proxyPassword, proxyResolves }: GivenSettings): Missing[] {
  if (proxy !== undefined)
    return hasUser(proxy, isProxy) ? needed({ proxyPassword }, 'needed with a user in {proxy}') : []
  const orphans = namesOf({ proxyPassword, proxyResolves: proxyResolves === true ? true : undefined })
  return orphans.map((name) => [name, 'needs {proxy}'])
}

/** Returns the names of the values that were given. */
export const namesOf = (some: GivenSettings): string[] => Object.keys(some).filter((name) => some[name] !== undefined)

const needed = (some: GivenSettings, why: string): Missing[] =>
  Object.keys(some).flatMap((name): Missing[] => (some[name] === undefined ? [[name, why]] : []))

const hasUser = (url: unknown, isRight: (text: string) => boolean): boolean =>
  typeof url === 'string' && isRight(url) && new URL(url).username !== ''
