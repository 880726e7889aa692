/**
 * An ECDSA signature over P-256 in its one form. For each (r, s) there is also (r, n − s), which is as valid and can be made
 * without the key. Only the one with the smaller s counts here, so that no one else can change a byte of a signature. Pure.
 */

/** The order n of the curve. */
const ORDER = 0xffffffff_00000000_ffffffff_ffffffff_bce6faad_a7179e84_f3b9cac2_fc632551n

/** The signature with the smaller s, in DER. Throws when it is not one over P-256. */
export function withLowS(signature: Uint8Array): Buffer {
  const [r, s] = integersOf(Buffer.from(signature))
  return sequence(r, s > ORDER / 2n ? ORDER - s : s)
}

/** Is the signature in that one form, encoding included? */
export function isLowS(signature: Uint8Array): boolean {
  try {
    return withLowS(signature).equals(signature)
  } catch {
    return false
  }
}

/** Both numbers together take less than 128 bytes, so each length is one byte. */
function integersOf(der: Buffer): [r: bigint, s: bigint] {
  const [tag, length, ...content] = der
  const first = content[1] ?? 0
  const parts = [content.slice(0, 2 + first), content.slice(2 + first)]
  const [r = 0n, s = 0n] = parts.map((part) =>
    part[0] === INTEGER && part[1] === part.length - 2
      ? BigInt(`0x0${Buffer.from(part.slice(2)).toString('hex')}`)
      : 0n,
  )
  if (tag !== SEQUENCE || length !== content.length || !isScalar(r) || !isScalar(s)) {
    throw new Error('This is not an ECDSA signature over P-256 in DER')
  }
  return [r, s]
}

const isScalar = (value: bigint) => value > 0n && value < ORDER

const SEQUENCE = 0x30
const INTEGER = 0x02

function sequence(...values: readonly bigint[]): Buffer {
  const content = Buffer.concat(values.map(integer))
  return Buffer.concat([Buffer.from([SEQUENCE, content.length]), content])
}

/** As short as it can be, with a zero in front where it would read as negative. */
function integer(value: bigint): Buffer {
  const hex = value.toString(16)
  const digits = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  const content = digits[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits
  return Buffer.concat([Buffer.from([INTEGER, content.length]), content])
}
