/** Which addresses may send: ranges as people write them, `10.1.0.0/16 192.168.7.4 fd00::/8`. */
import { BlockList, isIP } from 'node:net'
import { NodeError } from '../runtime/failures.ts'

/** Returns a test for addresses; all pass when the text is empty. Throws the NodeError BAD_SENDERS, which names what is no range. */
export function allowedSenders(text: unknown): (address: string) => boolean {
  const ranges = String(text ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
  if (ranges.length === 0) return () => true
  const list = new BlockList()
  const wrong = ranges.filter((range) => !addTo(list, range))
  if (wrong.length > 0)
    throw new NodeError(
      'BAD_SENDERS',
      `Allowed senders: ${wrong.join(', ')} is no address or range. Write 192.168.7.4 or 10.1.0.0/16.`,
    )
  return (address) => {
    // A socket that takes both families writes IPv4 addresses this way.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    const family = familyOf(plain)
    return family !== null && list.check(plain, family)
  }
}

function addTo(list: BlockList, range: string): boolean {
  const [address = '', length, ...more] = range.split('/')
  const family = familyOf(address)
  const most = family === 'ipv4' ? 32 : 128
  const bits = length === undefined ? most : Number(/^\d{1,3}$/.test(length) ? length : Number.NaN)
  if (family === null || more.length > 0 || !(bits <= most)) return false
  list.addSubnet(address, bits, family)
  return true
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6'
}
