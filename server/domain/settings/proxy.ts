/** The address of the proxy through which the service calls others. Pure. */

/** Whether it is http:// or https:// with a host, perhaps a user and a port, and nothing else. */
export function isProxy(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, password, pathname, search, hash } = new URL(text)
  const isBare = password === '' && search === '' && hash === '' && pathname === '/'
  return ['http:', 'https:'].includes(protocol) && hostname !== '' && isBare
}
