/** What is wrong with the URL of a receiver. Pure: no name is resolved here. spec: Resources › Webhook subscription */

/** Null when the URL may be called. `allowHttp` admits http for receivers on this machine, as a sandbox needs. */
export function receiverUrlProblem(text: string, allowHttp: boolean): string | null {
  const url = ABSOLUTE.test(text) ? URL.parse(text) : null
  if (!url) return 'url: an absolute https URL'
  if (url.username || url.password) return 'url: without user name and password'
  if (url.hash) return 'url: without a fragment (#…)'
  if (url.protocol === 'https:') return null
  if (!allowHttp) return 'url: an https URL; plain http is not accepted'
  return isLoopback(url.hostname) ? null : 'url: an https URL; plain http is accepted for this machine only'
}

/** The URL parser also takes `https:host`, and drops line breaks and tabs; what was sent is what is called. */
const ABSOLUTE = /^https?:\/\/[^\s/\\][^\s\\]*$/i

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
