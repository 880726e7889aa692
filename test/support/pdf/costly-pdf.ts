/** Sealed files that are as much work to verify as a stranger can make them. */

/**
 * A sealed file with ninety copies of its seal behind it, each stated to sign nearly everything, filled up to `size` bytes:
 * a reader that believes all of them reads the file ninety times.
 */
export function costlyToVerify(sealed: Uint8Array, size: number): Buffer {
  const text = Buffer.from(sealed).toString('latin1')
  const seal = /\/Contents\s*(<[0-9a-fA-F]{1000,}>)/.exec(text)?.[1]
  if (!seal) throw new Error('The file bears no seal.')
  const parts = [Buffer.from(sealed), Buffer.from('\n')]
  let at = sealed.length + 1
  for (let copy = 0; copy < COPIES; copy++) {
    const gapStart = at + BEFORE_GAP
    const gapEnd = gapStart + seal.length
    const range = [0, gapStart, gapEnd, size - gapEnd].map((number) => String(number).padStart(8, '0')).join(' ')
    const head = `${9000 + copy} 0 obj\n<< /SubFilter /ETSI.CAdES.detached /ByteRange [${range}] /Contents `
    const whole = Buffer.from(`${head.padEnd(BEFORE_GAP)}${seal} >>\nendobj\n`, 'latin1')
    parts.push(whole)
    at += whole.length
  }
  return Buffer.concat([...parts, Buffer.alloc(size - at, '%')])
}

const COPIES = 90
/** Bytes of an object before its gap. */
const BEFORE_GAP = 120
