/** Days that come as moments: each is the day where the sender is, or that which is written, with a warning. */
import { expect } from 'chai'
import { mapFhir } from '../../../lib/mapping/map-fhir.ts'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { SettingsError } from '../../../lib/settings.ts'
import { aBundle, document, patient, practitioner } from '../../support/hl7/a-bundle.ts'
import { anOrder, mdm } from '../../support/hl7/an-order.ts'
import { bodyOf } from '../../support/hl7/what-became.ts'

const MAP: MapFileInput = { documentTypes: { CMS485: { documentTypeId: 101 }, '52030-8': { documentTypeId: 101 } } }

/** Returns the day, with `warned` when a warning names the place; or `held` and the place. */
function said(result: Mapped, field: 'effectiveDate' | 'birthDate', place: string): string {
  if (!result.ok)
    return result.held.some((reason) => reason.startsWith(`${place}: `)) ? `held ${place}` : result.held[0]!
  const { document: sent, patient: of } = bodyOf(result)
  const day = field === 'birthDate' ? of.birthDate : sent.effectiveDate
  return result.warnings.some((warning) => warning.startsWith(`${place}: `)) ? `${day} warned` : day
}

const inFhir = (start: string, timeZone?: string) =>
  said(
    mapFhir(aBundle({ ...document, context: { period: { start } } }, patient, practitioner), {
      ...MAP,
      ...(timeZone && { timeZone }),
    }),
    'effectiveDate',
    'DocumentReference.context.period.start',
  )
const inHl7 = (field: 'effectiveDate' | 'birthDate', value: string, timeZone?: string) => {
  const at = (name: 'TXA' | 'PID', place: number) => String(mdm[name]).split('|').with(place, value).join('|')
  const order = anOrder(field === 'birthDate' ? { PID: at('PID', 7) } : { TXA: at('TXA', 4) })
  const map = readMapFile({ ...MAP, ...(timeZone && { timeZone }) })
  return said(mapHl7(order, map), field, field === 'birthDate' ? 'PID-7' : 'TXA-4')
}

const CHICAGO = 'America/Chicago'
const TOKYO = 'Asia/Tokyo'

describe('The day of an order', () => {
  for (const [start, timeZone, right] of [
    ['2026-01-15T23:30:00-06:00', CHICAGO, '2026-01-15'],
    ['2026-01-15', CHICAGO, '2026-01-15'],
    ['2026-01-16T05:59:59Z', CHICAGO, '2026-01-15'],
    ['2026-01-16T06:00:00Z', CHICAGO, '2026-01-16'],
    ['2026-01-16T05:30:00.000+00:00', CHICAGO, '2026-01-15'],
    ['2026-01-15T15:00:00Z', TOKYO, '2026-01-16'],
    ['2026-01-16T00:00:00Z', CHICAGO, '2026-01-16'],
    ['2026-01-16T00:00:01Z', CHICAGO, '2026-01-15'],
    ['2026-01-16T05:30:00Z', undefined, '2026-01-16 warned'],
    ['2026-01-16T00:00:00Z', undefined, '2026-01-16'],
    // The hour that is skipped, that which comes twice, and a day that begins at one o'clock.
    ['2026-03-08T07:59:59Z', CHICAGO, '2026-03-08'],
    ['2026-11-01T04:59:59Z', CHICAGO, '2026-10-31'],
    ['2018-11-04T03:00:00Z', 'America/Sao_Paulo', '2018-11-04'],
    ['2018-11-04T02:59:59Z', 'America/Sao_Paulo', '2018-11-03'],
    // A place that had no 30 December, and those at both ends of the day.
    ['2011-12-30T10:30:00Z', 'Pacific/Apia', '2011-12-31'],
    ['2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29'],
    ['2026-01-15T10:00:01Z', 'Pacific/Kiritimati', '2026-01-16'],
    ['2026-01-16T10:59:59Z', 'Pacific/Pago_Pago', '2026-01-15'],
    ['2026-01-15T10:15:00Z', 'Pacific/Chatham', '2026-01-16'],
    ['2026-02-30T05:30:00Z', CHICAGO, 'held DocumentReference.context.period.start'],
    ['2026-01-16T25:30:00Z', CHICAGO, 'held DocumentReference.context.period.start'],
  ] as const)
    it(`in FHIR is ${right} for ${start} in ${timeZone ?? 'a map without a time zone'}`, () =>
      expect(inFhir(start, timeZone)).to.equal(right))

  for (const [field, value, timeZone, right] of [
    ['effectiveDate', '20260115233000-0600', CHICAGO, '2026-01-15'],
    ['effectiveDate', '20260116053000', CHICAGO, '2026-01-16'],
    ['effectiveDate', '20260116055959+0000', CHICAGO, '2026-01-15'],
    ['effectiveDate', '202601160600+0000', CHICAGO, '2026-01-16'],
    ['effectiveDate', '20260116053000.1234-0000', CHICAGO, '2026-01-15'],
    ['effectiveDate', '20260116053000+0000', undefined, '2026-01-16 warned'],
    ['effectiveDate', '20260116000000+0000', undefined, '2026-01-16'],
    ['effectiveDate', '20260116+0000', CHICAGO, '2026-01-16'],
    ['effectiveDate', '20260116990000+0000', CHICAGO, 'held TXA-4'],
    ['birthDate', '19520607000000+0000', CHICAGO, '1952-06-07'],
    ['birthDate', '19520607050000+0000', CHICAGO, '1952-06-07'],
    ['birthDate', '19520607045959+0000', CHICAGO, '1952-06-06'],
    ['birthDate', '19520607', CHICAGO, '1952-06-07'],
  ] as const)
    it(`in HL7 v2 is ${right} for ${value} in ${timeZone ?? 'a map without a time zone'}`, () =>
      expect(inHl7(field, value, timeZone)).to.equal(right))

  it('is judged in no time zone that does not exist', () => {
    for (const timeZone of ['Chicago', '', 'UTC+1', 'America/Chicago\n'])
      expect(() => readMapFile({ timeZone }), timeZone).to.throw(SettingsError, 'timeZone')
  })
})
