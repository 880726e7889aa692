/** Sealed documents as forgers find them, with what anybody can read out of them. */

import { PDFDocument } from 'pdf-lib'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { acceptDocument } from '../../../server/pdf/accept.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { createSealCertificate, readP12, type SealKey } from '../../../server/pdf/seal/certificate.ts'
import { addSignaturePlaceholder } from '../../../server/pdf/seal/placeholder.ts'
import { sealDocument } from '../../../server/pdf/seal/seal.ts'
import { fixture } from '../fixtures.ts'
import { aCompletion, aSealKey, SIGNED_AT } from '../pdf/a-completion.ts'
import { type Plant, plantedOrder } from './planted-order.ts'

export interface Sample {
  pdf: Buffer
  seal: SealKey
  /** Another key whose certificate bears the same name. */
  impostor: SealKey
  /** Where the sender prepared a gap for a forgery. */
  plant: Plant | null
}

/** One sealed with EC, one with RSA, one whose cross-references are streams, and one whose sender planned ahead. */
export async function samples(): Promise<Sample[]> {
  const impostor = await createSealCertificate(new Date('2026-01-01T00:00:00Z'))
  const [ec, rsa] = [await aSealKey(), await readP12(fixture('p12/rsa-3des.p12'), 'sécret')]
  const order = fixture('pdf/orders/libreoffice-order.pdf')
  return [
    { pdf: await sealedWith(order, ec), seal: ec, impostor, plant: null },
    { pdf: await sealedWith(order, rsa), seal: rsa, impostor, plant: null },
    { pdf: await sealedWith(fixture('pdf/producers/latex_t1__rot90.pdf'), ec), seal: ec, impostor, plant: null },
    { ...(await plantedSample(ec)), seal: ec, impostor },
  ]
}

/**
 * What a sender gets back who tried out beforehand how long the sealed file becomes. The service draws such an order, so it is sealed here
 * without being accepted: that a forgery of it is not valid must not rest on what is accepted.
 */
export async function plantedSample(seal: SealKey): Promise<{ pdf: Buffer; plant: Plant }> {
  const tried = await sealedUnread(plantedOrder(0).pdf, seal)
  const { gapStart, gapEnd } = gapOf(tried)
  const { pdf, plant } = plantedOrder(tried.length - (gapEnd - gapStart))
  return { pdf: await sealedUnread(pdf, seal), plant }
}

async function sealedUnread(pdf: Uint8Array, seal: SealKey): Promise<Buffer> {
  const doc = await PDFDocument.load(pdf, { updateMetadata: false, forIncrementalUpdate: true })
  const signer = { name: 'Ruth Calder DO', npi: '9999900019', onBehalfOf: null, isTest: false }
  const placeholder = await addSignaturePlaceholder(doc, doc.getPage(0), new Date(SIGNED_AT), signer)
  const sealed = sealDocument(await doc.commit({ useObjectStreams: false }), placeholder, seal)
  if (sealed === null) throw new Error('The planted order could not be sealed.')
  return sealed
}

/** Accepted and sealed, as the service does it. */
export async function sealedWith(pdf: Uint8Array, seal: SealKey): Promise<Buffer> {
  const accepted = await acceptDocument(pdf, defaultLimits, defaultActiveContentPolicy)
  if (!accepted.ok) throw new Error(accepted.problem)
  const result = await completeDocument(accepted.pdf, await aCompletion({ fields: [], seal }))
  if (!result.ok) throw new Error(result.problem)
  return Buffer.from(result.pdf)
}

/** Of the last signature, with its brackets. */
export function gapOf(pdf: Buffer): { gapStart: number; gapEnd: number } {
  const gapStart = pdf.lastIndexOf('\n/Contents <') + '\n/Contents '.length
  return { gapStart, gapEnd: pdf.indexOf('>', gapStart) + 1 }
}

/** The signature itself, without its padding. */
export function cmsOf(pdf: Buffer): Buffer {
  const { gapStart, gapEnd } = gapOf(pdf)
  const bytes = Buffer.from(pdf.toString('latin1', gapStart + 1, gapEnd - 1), 'hex')
  return bytes.subarray(0, 4 + bytes.readUInt16BE(2))
}

/** The file with this in its gap, filled up with zeros. */
export function withCms(pdf: Buffer, cms: Uint8Array): Buffer {
  const { gapStart, gapEnd } = gapOf(pdf)
  const result = Buffer.from(pdf)
  result.write(
    Buffer.from(cms)
      .toString('hex')
      .padEnd(gapEnd - gapStart - 2, '0'),
    gapStart + 1,
    'latin1',
  )
  return result
}

/** The file with another gap instead of its own: all bytes around are the signed ones, one after another. */
export function withGapAt(pdf: Buffer, at: number, contents: string): Buffer {
  const { gapStart, gapEnd } = gapOf(pdf)
  const signed = Buffer.concat([pdf.subarray(0, gapStart), pdf.subarray(gapEnd)])
  return Buffer.concat([signed.subarray(0, at), Buffer.from(contents, 'latin1'), signed.subarray(at)])
}

/** The forgery that was planned: the signature in the planted gap, and after it, as text of the page, another order. */
export function exploited({ pdf }: Pick<Sample, 'pdf'>, { gapStart, gapLength }: Plant): Buffer {
  const text = Buffer.from('AMENDED: Morphine 500 mg every hour').toString('hex')
  const cms = cmsOf(pdf).toString('hex')
  return withGapAt(pdf, gapStart, `<${cms.padEnd(gapLength - 2 - text.length, '0')}${text}>`)
}
