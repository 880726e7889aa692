/** An authenticator app: RFC 6238 written down once more, so that no test asks the service's own library. */
import { createHmac } from 'node:crypto'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
export const PERIOD_MS = 30_000

export type Authenticator = ReturnType<typeof anAuthenticator>

/** @param shown the secret as a page shows it */
export function anAuthenticator(shown: string) {
  const bits = [...shown.replace(/ /g, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return {
    /** The code of a time in milliseconds, or of a step `after` it. */
    code(ms: number, after = 0): string {
      const counter = Buffer.alloc(8)
      counter.writeBigUInt64BE(BigInt(Math.floor(ms / PERIOD_MS) + after))
      const mac = createHmac('sha1', secret).update(counter).digest()
      const at = mac[19]! & 15
      return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
    },
    /** A code of none of the steps near the time. */
    wrong(ms: number): string {
      const near = [-2, -1, 0, 1, 2].map((after) => this.code(ms, after))
      return ['000000', '000001', '000002', '000003', '000004', '000005'].find((code) => !near.includes(code))!
    },
  }
}
