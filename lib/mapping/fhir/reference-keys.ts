/** The absolute keys that references of FHIR R4 represent, so that the same id on two servers is two resources. Pure. */

/** Where a reference is: the resource that holds it, or that contains that one. */
interface Context {
  url: string
  base: string | null
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const VERSION = /\/_history\/[^/]+$/

/** Returns the version that a reference names; null when it names none. */
export const versionIn = (reference: string): string | null =>
  VERSION.exec(reference)?.[0].slice('/_history/'.length) ?? null

/** Returns a URL without its version and as RFC 3986 normalizes it; `urn:uuid` has no case. */
export function keyOf(url: string): string {
  const text = url.replace(VERSION, '')
  if (/^urn:(uuid|oid):/i.test(text)) return text.toLowerCase()
  return URL.parse(text)?.href ?? text
}

/** Returns the base of `[base]/Type/id`; null for any other URL, which says nothing about relative references. */
export function baseOf(url: string, type: string): string | null {
  if (!/^https?:/i.test(url)) return null
  const [, base, name] = /^(.+)\/([A-Za-z]+)\/[A-Za-z0-9.-]{1,64}$/.exec(keyOf(url)) ?? []
  return base !== undefined && name === type ? base : null
}

/** Returns a reference without its version, and a relative one without `./` and `/` before it. */
export function pathOf(reference: string): string {
  const text = reference.replace(VERSION, '')
  return SCHEME.test(text) || text.startsWith('//') ? text : text.replace(/^(?:\.?\/)+/, '')
}

/**
 * Returns the keys of a reference. Several, when senders disagree about what a leading `/` or `..` means; more than one resource
 * under them is then held. `home` is the server at which what the message lacks is read.
 */
export function keysOf(reference: string, context: Context | undefined, home: string | null): string[] {
  const text = reference.replace(VERSION, '')
  if (SCHEME.test(text)) return [keyOf(text)]
  const base = context?.base ?? null
  const path = pathOf(reference)
  if (base === null) return [`./${path}`, ...(home === null ? [] : [keyOf(`${home}/${path}`)])]
  const references = text.startsWith('/') && !text.startsWith('//') ? [path, text] : [text]
  const urls = references.map((one) => URL.parse(one, `${base}/`)?.href)
  if (text.startsWith('..')) urls.push(URL.parse(text, context?.url)?.href)
  return [...new Set(urls.flatMap((url) => (url === undefined ? [] : [url])))]
}

/** Returns a reference as it is to be read: absolute, unless it is to the server that relative references are read at. */
export function wanted(reference: string, context: Context | undefined, home: string | null): string {
  if (SCHEME.test(reference)) return reference
  const [version = ''] = VERSION.exec(reference) ?? []
  const base = context?.base ?? null
  if (base === null || base === home) return `${pathOf(reference)}${version}`
  return `${keysOf(reference, context, home)[0] ?? reference}${version}`
}
