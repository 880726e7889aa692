/** The order that the rules send: a patient who does not exist, and a page that says what it is for. */
import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { HostProfile } from '../../profile/host-profile.ts'
import { tokensOf } from '../../profile/names.ts'

export type Json = Record<string, unknown>

/** Ten digits that are no NPI: real ones begin with 1 or 2. */
export const UNKNOWN_NPI = '0000000000'
export const PHRASE = 'Physician Signature:'
const LINES = ['Conformance test of the signing interface.', 'Please leave this document alone.', PHRASE]

/** Each call makes a new one. The same externalId and number always mean the same patient. */
export const samplePatient = (number = 1): Json => ({
  externalId: `CONFORM|${number}`,
  names: [{ use: 'official', family: `Conformance${'abc'.slice(0, number)}`, given: ['Test'] }],
  sex: 'Female',
  birthDate: `1950-01-0${number}`,
  addresses: [{ line: '1 Test Street', city: 'Testville', state: 'MN', postalCode: '55899' }],
  identifiers: [{ authority: 'mrn', value: `CONFORM${number}` }],
})

/**
 * Returns a Letter page in Base64.
 * @param profile whose tokens it has; none when null
 * @param padding bytes that it is longer, which no one sees
 */
export async function samplePdf(profile: Pick<HostProfile, 'tokenPrefix'> | null, padding = 0): Promise<string> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const page = pdf.addPage([612, 792])
  const lines = [...LINES, ...(profile ? tokensOf(profile) : [])]
  for (const [index, text] of lines.entries()) page.drawText(text, { x: 72, y: 720 - 48 * index, size: 12, font })
  if (padding > 0) pdf.context.register(pdf.context.stream(new Uint8Array(padding)))
  return Buffer.from(await pdf.save()).toString('base64')
}

/** A signature at coordinates that exist on a Letter page. */
export function jsonAnnotations(origin: HostProfile['coordinates']['origin']): Json {
  const [top, bottom] = origin === 'top-left' ? [600, 636] : [192, 156]
  const box = { pageNumber: 1, left: 72, top, right: 252, bottom }
  return { type: 'Json', data: [{ type: 'VisibleSignature', performer: 1, required: true, ...box }] }
}

export const referenceAnnotations = (): Json => ({
  type: 'ReferenceText',
  data: [{ type: 'VisibleSignature', performer: 1, required: true, referenceText: PHRASE, offsetX: 120, offsetY: -8 }],
})
