/** Where a reference leads: to the FHIR base, to a host that is allowed to keep documents, or nowhere. Pure. */

export interface Address {
  /** The URL to request. */
  href: string
  /** The URL that identifies the resource, without its version. */
  url: string
  /** Whether it lies in the base, so that the token may go there. */
  isOurs: boolean
  /** Whether the answer may be a file in place of a resource. */
  isFile: boolean
  /** Empty for a file of another host, as is `id`. */
  type: string
  id: string
}

/** `Patient/7`, or one version of it: `Patient/7/_history/2`. An id of dots alone would lead out of the base. */
const PATH = /^([A-Z][A-Za-z]{1,63})\/(?!\.+(?:\/|$))([A-Za-z0-9.-]{1,64})(?:\/_history\/(?!\.+$)[A-Za-z0-9.-]{1,64})?$/

interface Reachable {
  baseUrl: string
  /** Hosts, with their port where it is unusual, that files are read from without a token. */
  documentHosts: readonly string[]
}

/** Returns null for a reference that leads nowhere: to what a message contains, to another server, to an id of no address. */
export function addressOf(reference: string, { baseUrl, documentHosts }: Reachable): Address | null {
  const path = reference.startsWith(`${baseUrl}/`) ? reference.slice(baseUrl.length + 1) : reference
  const [, type, id] = PATH.exec(path) ?? []
  if (type !== undefined && id !== undefined)
    return {
      href: `${baseUrl}/${path}`,
      url: `${baseUrl}/${type}/${id}`,
      isOurs: true,
      isFile: type === 'Binary',
      type,
      id,
    }
  const url = URL.parse(reference)
  const isAllowed = url?.protocol === 'https:' && url.username === '' && documentHosts.includes(url.host)
  return isAllowed ? { href: url.href, url: reference, isOurs: false, isFile: true, type: '', id: '' } : null
}
