/** PEM text and the bytes in it. */
import { X509Certificate } from 'node:crypto'

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

/** Throws a TypeError when a text is not empty and does not contain certificates alone that can be read. */
export function checkCertificates(text: string): void {
  if (text.trim() === '') return
  const blocks = certificatesIn(text)
  try {
    for (const block of blocks) new X509Certificate(block)
  } catch {
    blocks.length = 0
  }
  if (blocks.length === 0)
    throw new TypeError('certificates: not PEM. Give text with BEGIN CERTIFICATE and END CERTIFICATE lines.')
}
