/** Messages that once reached the wrong patient, signer, order or day, each with what is right. The fixtures hold them as they came. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { statusTables } from '../../../lib/mapping/hl7/statuses.ts'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { mdm, oru, PDF } from '../../support/hl7/an-order.ts'
import { mapped, pid, txa } from '../../support/hl7/mapped-order.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

const folder = join(import.meta.dirname, '../../fixtures/hl7/orders')

function became(path: string, more: MapFileInput = {}): Mapped {
  const map = JSON.parse(readFileSync(join(folder, path, '../map.json'), 'utf8')) as MapFileInput
  return mapHl7(readFileSync(join(folder, path)), readMapFile({ ...map, ...more }))
}

/** What counts of a mapped message, and the reasons of a held one. */
function summary(result: Mapped): Record<string, unknown> | string {
  if (!result.ok) return result.held.join('; ')
  const { action, aliases } = result
  if (action === 'retract') return { action, externalDocId: result.externalDocId, ...(aliases && { aliases }) }
  const { patient, performers, document } = result.body
  return {
    action,
    externalDocId: document.externalDocId,
    ...(result.replaces && { replaces: result.replaces }),
    patient: patient.externalId,
    signer: performers[0]?.signer.userNPI,
    bytes: Buffer.byteLength(document.attachment, 'base64'),
  }
}

const NORTH = { patient: 'NORTH|440011', signer: '9999900019', bytes: 547 }
const LARCH = { patient: 'LARCHV|LV300417', signer: '9999900035', bytes: 758 }
const cases: [path: string, right: Record<string, unknown> | RegExp][] = [
  ['authority-in-cx-6/1-north.hl7', { ...NORTH, action: 'create' }],
  ['authority-in-cx-6/2-south.hl7', { ...NORTH, action: 'create', patient: 'SOUTH|440011' }],
  ['corrected-pdf-in-two-parts/1.hl7', { ...NORTH, action: 'create', bytes: 768 }],
  ['facility-that-is-not-in-the-table/1.hl7', /PV1-3/],
  ['number-of-nobody/1.hl7', /PID-3/],
  ['number-of-nobody/2.hl7', /PID-3/],
  ['number-that-was-cut-short/1.hl7', /PID-3/],
  ['orc-12-and-obr-16-name-two-people/1-result.hl7', /ORC-12, OBR-16/],
  ['order-cancelled-once-it-has-a-filler-number/1-new.hl7', { action: 'create', externalDocId: 'HUB|P-5' }],
  [
    'order-cancelled-once-it-has-a-filler-number/2-cancel.hl7',
    { action: 'retract', externalDocId: 'HUB|P-5', aliases: ['LAB|F-9'] },
  ],
  ['says-latin-1-and-is-utf-8/1.hl7', /MSH-18/],
  ['signer-id-of-another-authority/1-of-hub-a.hl7', /TXA-10/],
  ['signer-id-of-another-authority/2-of-hub-b.hl7', /TXA-10/],
  ['signer-id-of-another-kind/1.hl7', /TXA-10/],
  ['t10-names-what-it-replaces/1-original.hl7', { action: 'create', externalDocId: 'HUB|D-1' }],
  [
    't10-names-what-it-replaces/2-replacement.hl7',
    { action: 'replace', externalDocId: 'HUB|D-2', replaces: ['HUB|D-1'] },
  ],
  ['test-message/1-training.hl7', /MSH-11/],
  ['test-message/2-debugging.hl7', /MSH-11/],
  ['two-pdfs-in-one-field/1.hl7', /OBX-5: holds 2 PDFs/],
  ['two-people-one-without-an-npi/1.hl7', /TXA-10/],
  ['as-reported/01-oru-pdf-under-second-order.hl7', { ...LARCH, action: 'create', externalDocId: 'LAB|F-1002' }],
  ['as-reported/02-oru-order-without-signer.hl7', /OBR-16.*does not identify a signer/],
  ['as-reported/03-orm-cancel-one-order-another.hl7', /ORC\[1\], ORC\[2\]/],
  [
    'as-reported/05-t10-with-parent.hl7',
    { ...LARCH, action: 'replace', externalDocId: 'LARCHV|LV-DOC-10', replaces: ['LARCHV|LV-DOC-9'] },
  ],
  ['as-reported/08-orc-dc.hl7', { action: 'retract', externalDocId: 'LARCHV|P-3' }],
  ['as-reported/09-obx11-w.hl7', { action: 'retract', externalDocId: 'LAB|F-2001' }],
  ['as-reported/10-txa19-ca.hl7', { action: 'retract', externalDocId: 'LARCHV|LV-DOC-9' }],
  ['as-reported/23-two-pdfs-in-one-obx.hl7', /OBX-5: holds 2 PDFs/],
  ['as-reported/24-base64-broken-by-crlf.hl7', { ...LARCH, action: 'create' }],
  ['as-reported/25-batch-of-one.hl7', /batch/],
  ['as-reported/26-pdf-after-bom.hl7', { ...LARCH, action: 'create' }],
  ['as-reported/27-unpadded-base64.hl7', { ...LARCH, action: 'create' }],
  ['as-reported/29-obx2-empty.hl7', { ...LARCH, action: 'create' }],
  ['as-reported/30-pid3-without-type.hl7', /PID-3: .*untyped/],
]

describe('A message in HL7 v2 that could be taken for another', () => {
  for (const [path, right] of cases)
    it(`${path} is ${right instanceof RegExp ? 'held' : right.action}`, () => {
      const result = summary(became(path))
      if (right instanceof RegExp) expect(result).to.match(right)
      else expect(result).to.include(Object.fromEntries(Object.entries(right).filter(([, one]) => !Array.isArray(one))))
      if (!(right instanceof RegExp) && typeof result === 'object') expect(result).to.deep.include(right)
    })

  it('is mapped where the map says what the message does not', () => {
    const id = (path: string, more: MapFileInput) => bodyOf(became(path, more))
    const hubA = 'signer-id-of-another-authority/1-of-hub-a.hl7'
    const hubB = 'signer-id-of-another-authority/2-of-hub-b.hl7'
    expect(id(hubA, { signerAuthority: 'HUBA' }).performers[0]?.signer.userNPI).to.equal('9999900019')
    expect(heldBy(became(hubB, { signerAuthority: 'HUBA' })).join()).to.contain('TXA-10')
    const both = { signers: { 'HUBA|1173': '9999900019', 'HUBB|1173': '9999900027' } }
    expect(id(hubB, both).performers[0]?.signer.userNPI).to.equal('9999900027')
    expect(id('test-message/1-training.hl7', { processingIds: ['T'] }).patient.externalId).to.equal('NORTH|440011')
    expect(id('says-latin-1-and-is-utf-8/1.hl7', { charset: 'utf-8' }).patient.names[0]?.family).to.equal('Müller')
    expect(
      id('as-reported/30-pid3-without-type.hl7', { patientIdTypes: ['MR', 'untyped'] }).patient.externalId,
    ).to.equal('LARCHV|LV300417')
  })

  it('has the id of one authority alone, whichever form names it', () => {
    const of = (authority: string) => bodyOf(mapped(pid(3, `44001176^^^${authority}^MR`))).patient.externalId
    const forms = ['A', '&2.16.1&ISO', '&2.16.2&ISO', 'A&2.16.1&ISO', 'A&2.16.2&ISO', '']
    expect(new Set(forms.map(of))).to.have.length(forms.length)
    const map = { mrnAuthority: '2.16.1' }
    expect(bodyOf(mapped(pid(3, '44001176^^^&2.16.1&ISO^MR'), map)).patient.externalId).to.equal('&2.16.1&ISO|44001176')
    expect(heldBy(mapped(pid(3, '4400117^^^A&2.16.1&ISO^MR~4400117^^^A&2.16.2&ISO^MR'))).join()).to.contain('PID-3')
  })

  it('is signed by the NPI that an OID labels, and by no license', () => {
    const of = (xcn: string) => mapped(txa(10, xcn), { signerIds: 'listed' })
    expect(of('9999900019^Marsh^Helen^^^^^^&2.16.840.1.113883.4.6&ISO').ok).to.equal(true)
    expect(heldBy(of('9999900019^Marsh^Helen^^^^^^NPI^L^^^SL')).join()).to.contain('TXA-10')
    expect(heldBy(of('0000000000^Marsh^Helen^^^^^^NPI^L^^^NPI')).join()).to.contain('TXA-10')
  })

  it('is held when a part of its PDF is missing, or comes twice', () => {
    const cut = [0, 12, 24, PDF.length]
    const part = (index: number, number: number) =>
      `OBX|${number}|ED|PDF^Document||^^^^${PDF.slice(cut[index], cut[index + 1])}`
    expect(mapped({ OBX: [part(0, 1), part(1, 2), part(2, 3)] }).ok).to.equal(true)
    expect(heldBy(mapped({ OBX: [part(0, 1), part(2, 3)] })).join()).to.contain('missing or comes twice')
    expect(heldBy(mapped({ OBX: [part(0, 1), part(1, 2), part(1, 2), part(2, 3)] })).join()).to.contain('twice')
  })

  it('of a status that is not known is held, and names the code', () => {
    const result = mapped({ OBR: `${oru.OBR}|||||||||Q` }, {}, oru)
    expect(heldBy(result).join()).to.contain('OBR-25: holds the code "Q"')
  })

  it('is held as T10 without a parent', () =>
    expect(heldBy(mapped({ MSH: String(mdm.MSH).replace('T02', 'T10') })).join()).to.contain('TXA-13'))

  it('has its codes in the guide', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/mapping.md'), 'utf8')
    for (const [place, { table, codes }] of Object.entries(statusTables))
      for (const verdict of ['send', 'replace', 'retract', 'hold', 'ignore']) {
        const listed = Object.entries(codes).filter(([, one]) => one === verdict)
        if (listed.length === 0) continue
        const row = `| ${place} (${table}) | ${verdict} | ${listed.map(([code]) => code).join(', ')} |`
        expect(guide.replace(/ +/g, ' ')).to.contain(row)
      }
  })
})
