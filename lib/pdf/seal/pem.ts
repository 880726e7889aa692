/** PEM text and the bytes in it. */

/** The bytes of the first PEM block. Throws when there is none. */
export function derOf(text: string): Buffer {
  const block = /-----BEGIN [^-]+-----([^-]+)-----END/.exec(text)?.[1]
  if (block === undefined) throw new Error('PEM text has no block between BEGIN and END lines')
  return Buffer.from(block, 'base64')
}

export function pem(label: string, der: ArrayBuffer | Uint8Array): string {
  const text = Buffer.from(der instanceof Uint8Array ? der : new Uint8Array(der)).toString('base64')
  return `-----BEGIN ${label}-----\n${text.replace(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`
}

/** The certificates in a text, each as a PEM block. */
export const certificatesIn = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
