/** The address of a mail server. */

/** Whether it is smtp:// or smtps:// with a host, perhaps a user and a port, and nothing else. */
export function isMailServer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, password, pathname, search, hash } = new URL(text)
  const isBare = password === '' && search === '' && hash === '' && ['', '/'].includes(pathname)
  return ['smtp:', 'smtps:'].includes(protocol) && hostname !== '' && isBare
}
