/** Checks the URL of a receiver. Pure: no name is resolved here. spec: Resources › Webhook subscription */
import { parseAddress } from '../address.ts'
import { bareHost, isAllowed, isLoopbackHost, mayConnect, type TargetPolicy } from './target.ts'

/** Null when the URL may be called, as far as its text can tell; a name is checked again when it is resolved. */
export function receiverUrlProblem(text: string, policy: TargetPolicy): string | null {
  const url = ABSOLUTE.test(text) ? URL.parse(text) : null
  if (!url) return 'url: an absolute https URL'
  if (url.username || url.password) return 'url: without user name and password'
  if (url.hash) return 'url: without a fragment (#…)'
  if (policy.isCatcher?.(url)) return null
  const host = bareHost(url)
  const isLocal = isLoopbackHost(host)
  if (url.protocol === 'http:' && !policy.allowHttp) return 'url: an https URL; plain http is not accepted'
  if (url.protocol === 'http:' && !isLocal) return 'url: an https URL; plain http is accepted for this machine only'
  if (isAllowed(host, policy) || (policy.allowHttp && isLocal)) return null
  if (isLocal || host.endsWith('.localhost') || (parseAddress(host) && !mayConnect(host, host, policy)))
    return 'url: a public host; ask the service operator to allow a receiver in a private network'
  const port = url.port === '' ? HTTPS_PORT : Number(url.port)
  if (port !== HTTPS_PORT && port < FIRST_USER_PORT)
    return `url: port ${HTTPS_PORT}, or one from ${FIRST_USER_PORT}; ask the service operator to allow the host for another one`
  return null
}

/** The URL parser also takes `https:host`, and drops line breaks and tabs; what was sent is what is called. */
const ABSOLUTE = /^https?:\/\/[^\s/\\][^\s\\]*$/i

const HTTPS_PORT = 443
/** Below are the ports of mail, remote shells and the like, where no callback belongs. */
const FIRST_USER_PORT = 1024
