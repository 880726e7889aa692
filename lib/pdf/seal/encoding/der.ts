/** As much of DER as writing a signature takes. Pure. */

/** `first`: constructed, with the context-specific number 0. */
export const TAG = { integer: 0x02, octets: 0x04, nothing: 0x05, oid: 0x06, sequence: 0x30, set: 0x31, first: 0xa0 }

export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0)
  const digits = length.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 + bytes.length, ...bytes]
  return Buffer.concat([Buffer.from(head), ...content])
}

export const sequence = (...content: readonly Uint8Array[]): Buffer => der(TAG.sequence, ...content)

/** @param id in numbers, such as `1.2.840.113549.1.7.1` */
export function objectIdentifier(id: string): Buffer {
  const [first = 0, second = 0, ...others] = id.split('.').map(Number)
  return der(TAG.oid, Buffer.from([40 * first + second, ...others].flatMap(inSevenBits)))
}

function inSevenBits(number: number): number[] {
  const digits = [number & 0x7f]
  for (let left = number >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f))
  return digits
}

/** Returns the elements within an element, each with its tag and length. Throws when it does not consist of elements. */
export function elementsIn(element: Buffer): Buffer[] {
  const elements: Buffer[] = []
  for (let at = contentOf(element).start; at < element.length; ) {
    const { end } = contentOf(element.subarray(at))
    elements.push(element.subarray(at, at + end))
    at += end
  }
  return elements
}

function contentOf(element: Buffer): { start: number; end: number } {
  const first = element[1] ?? Number.NaN
  const start = first < 0x80 ? 2 : 2 + (first & 0x7f)
  const end = start + (first < 0x80 ? first : element.readUIntBE(2, first & 0x7f))
  if (!(end <= element.length)) throw new Error('This is not DER: an element ends after what it is part of')
  return { start, end }
}
