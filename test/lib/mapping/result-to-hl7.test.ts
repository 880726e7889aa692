/** Results in HL7 v2, read by our own reader and by two of others. */
import { Hl7Message } from '@medplum/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { Message as TheirMessage } from 'node-hl7-client'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { usualDelimiters } from '../../../lib/hl7/delimiters.ts'
import { readEscapes } from '../../../lib/hl7/escapes.ts'
import { segmentsOf } from '../../../lib/hl7/message.ts'
import { parseMessage } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'
import { textOf } from '../../../lib/hl7/write-message.ts'
import { Hl7Origin } from '../../../lib/mapping/hl7-result/origin.ts'
import { type Hl7ResultHabits, resultToHl7 } from '../../../lib/mapping/hl7-result/result-to-hl7.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7WithOrigin } from '../../../lib/mapping/map-hl7.ts'
import type { Signature } from '../../../lib/pdf/read-signature.ts'
import { anOrder, mdm, oru } from '../../support/hl7/an-order.ts'

const pdf = Buffer.from('%PDF-1.7 signed')
const at = Date.UTC(2026, 0, 17, 10, 30)
const map = readMapFile({ documentTypes: { CMS485: { documentTypeId: 101 } } })

/** As it comes back from a message that was kept. */
function originOf(order: Uint8Array): Hl7Origin {
  const { mapped, origin } = mapHl7WithOrigin(order, map)
  if (!mapped.ok) throw new Error(mapped.held.join())
  return Hl7Origin.parse(JSON.parse(JSON.stringify(origin)))
}

interface Asked {
  status?: TaskStatus
  order?: Uint8Array
  event?: Hl7ResultHabits['event']
  completion?: Hl7ResultHabits['completion']
  parties?: Hl7ResultHabits['parties']
  reason?: string
  pdf?: Buffer | undefined
  signature?: Partial<Signature>
  occurredAtUtc?: string
}
/** What a seal says of the signer whom the order names, on another day than that of the message. */
const CALDER = { name: 'Ruth Calder DO', npi: '9999900019' }
const VOSS = { name: 'Vera Ágnes Voss | MD', npi: '9999900027' }
const SIGNED: Signature = {
  verdict: 'valid',
  signer: CALDER,
  onBehalfOf: null,
  signedAt: '2026-01-14T08:15:00.000Z',
  timestamp: null,
  isTest: false,
}
function result({
  status = 'Completed',
  order = anOrder(),
  event = 'T02',
  completion = 'LA',
  parties = {},
  reason,
  signature,
  ...others
}: Asked) {
  const task = { taskId: 7, status, statusReason: reason ?? null }
  return resultToHl7(
    { task, origin: originOf(order), at, pdf, ...(signature && { signature: { ...SIGNED, ...signature } }), ...others },
    { event, completion, parties },
  )
}
function made(asked: Asked = {}) {
  const one = result(asked)
  if (!one.ok) throw new Error(one.held.join())
  return { ...one, read: parseMessage(one.message) }
}
const valuesOf = (asked: Asked, ...places: string[]) => {
  const { read } = made(asked)
  return places.map((place) => valueAt(read, place))
}
const namesOf = (asked: Asked) => made(asked).read.segments.map(({ name }) => name)

describe('A result in HL7 v2', () => {
  it('goes back to the sender, and is the same message when it is made again', () => {
    const places = ['MSH-3', 'MSH-4', 'MSH-5', 'MSH-6', 'MSH-9.2', 'MSH-9.3', 'MSH-10', 'MSH-11', 'MSH-12']
    const values = ['CS', 'CS', 'EPIC', 'LAKE', 'T02', 'MDM_T02', '7-T02', 'P', '2.5.1']
    expect(valuesOf({}, ...places)).to.deep.equal(values)
    expect(made().message).to.deep.equal(made().message)
    expect(made()).to.include({ controlId: '7-T02', messageType: 'MDM^T02', documentId: '7' })
  })

  it('goes from and to whom its habits name, whatever the delimiters of the order', () => {
    const parties = { sendingApplication: 'SIGN^2.16.840.1.113883.19.4^ISO', receivingFacility: 'WEST|LAKE' }
    const order = Buffer.from(Buffer.from(anOrder()).toString().replaceAll('^', '$'))
    for (const asked of [
      { parties },
      { parties, event: 'R01' as const, order: anOrder({}, oru) },
      { parties, order },
    ]) {
      const places = ['MSH-3', 'MSH-3.2', 'MSH-3.3', 'MSH-4', 'MSH-5', 'MSH-6']
      const values = ['SIGN', '2.16.840.1.113883.19.4', 'ISO', 'CS', 'EPIC', 'WEST|LAKE']
      expect(valuesOf(asked, ...places)).to.deep.equal(values)
    }
  })

  it('repeats patient and visit as they came, and brings the PDF', () => {
    const { read } = made()
    const textsIn = (message: typeof read, name: string) => segmentsOf(message, name).map(({ texts }) => texts)
    for (const [order, event] of [
      [anOrder(), 'T02'],
      [anOrder(), 'T10'],
      [anOrder({}, oru), 'R01'],
    ] as const)
      for (const name of ['PID', 'PV1']) {
        const sent = textsIn(parseMessage(order), name)
        expect(sent, name).to.have.length(1)
        expect(textsIn(made({ order, event }).read, name), `${name} in ${event}`).to.deep.equal(sent)
      }
    expect(['OBX-2', 'OBX-3', 'OBX-5.3', 'OBX-11'].map((place) => valueAt(read, place))).to.deep.equal([
      'ED',
      'PDF',
      'pdf',
      'F',
    ])
    expect(Buffer.from(valueAt(read, 'OBX-5.5'), 'base64')).to.deep.equal(pdf)
  })

  const documents = {
    T02: ['7', 'COUNTERSIGN', 'DOC-000123', 'EPIC'],
    T04: ['DOC-000123', 'EPIC', '', ''],
    T10: ['DOC-000123-S', 'EPIC', 'DOC-000123', 'EPIC'],
  } as const
  for (const [event, ids] of Object.entries(documents))
    it(`names the document in ${event}, its status and who signed it when`, () => {
      const asked = { event: event as 'T02', signature: SIGNED }
      expect(valuesOf(asked, 'TXA-12', 'TXA-12.2', 'TXA-13', 'TXA-13.2')).to.deep.equal(ids)
      const status = valuesOf(asked, 'TXA-2', 'TXA-17', 'TXA-19', 'TXA-22', 'TXA-22.2', 'TXA-22.15')
      expect(status).to.deep.equal(['CMS485', 'LA', 'AV', '9999900019', 'Marsh', '20260114081500+0000'])
      expect(valuesOf({ ...asked, completion: 'AU' }, 'TXA-17')).to.deep.equal(['AU'])
      expect(namesOf(asked)).to.deep.equal(['MSH', 'EVN', 'PID', 'PV1', 'TXA', 'OBX'])
    })

  it('is a final result of the request, when a result is wanted', () => {
    const order = anOrder({ ORC: 'ORC|NW|P-77^EPIC' }, oru)
    const values = valuesOf({ order, event: 'R01' }, 'MSH-9', 'ORC-1', 'OBR-2', 'OBR-3', 'OBR-3.2', 'OBR-25')
    expect(values).to.deep.equal(['ORU', 'RE', 'P-77', 'F-88', 'LAB', 'F'])
    const refused = result({ event: 'R01' })
    expect(refused).to.deep.include({ ok: false })
  })

  it('is a new document, of an order that came as a result', () => {
    const values = valuesOf({ order: anOrder({}, oru) }, 'TXA-2', 'TXA-10', 'TXA-13', 'TXA-13.2', 'TXA-14')
    expect(values).to.deep.equal(['CMS485', '9999900019', 'F-88', 'LAB', 'P-77'])
  })

  for (const status of ['Rejected', 'Failed', 'Retracted', 'Cancelled'] as const)
    it(`says in T03 that a document is incomplete that is ${status}, and why`, () => {
      const asked = { status, reason: 'Not my | patient', pdf: undefined, event: 'R01' } as const
      const values = valuesOf(asked, 'MSH-9.2', 'MSH-9.3', 'MSH-10', 'TXA-12', 'TXA-17', 'TXA-21', 'TXA-22')
      expect(values).to.deep.equal(['T03', 'MDM_T01', '7-T03', 'DOC-000123', 'IN', 'Not my | patient', ''])
      expect(namesOf(asked)).to.not.contain('OBX')
    })

  it('is written as the sender writes: delimiters and character set', () => {
    const changed = { MSH: `${mdm.MSH}||||||8859/1`, PID: String(mdm.PID).replace('Rowan', 'Ångström') }
    const order = Buffer.from(Buffer.from(anOrder(changed)).toString().replaceAll('^', '$'), 'latin1')
    const { message, read } = made({ order, status: 'Rejected', reason: 'wrong \u{1f600} person' })
    expect(read).to.deep.include({ characterSet: 'iso-8859-1' })
    expect(Buffer.from(message).toString('latin1')).to.match(/^MSH\|\$~\\&\|/)
    expect(['PID-5', 'MSH-18'].map((place) => valueAt(read, place))).to.deep.equal(['Ångström', '8859/1'])
    expect(valueAt(read, 'TXA-21')).to.match(/^wrong \?+ person$/)
  })

  it('is none without an outcome, without the PDF or without a patient', () => {
    expect(result({ status: 'Pending' })).to.deep.include({ ok: false })
    expect(result({ pdf: undefined })).to.deep.equal({
      ok: false,
      held: ['payload: required; the signed PDF, as a Buffer'],
    })
    const origin = {
      ...originOf(anOrder()),
      segments: originOf(anOrder()).segments.filter(({ name }) => name !== 'PID'),
    }
    const task = { taskId: 7, status: 'Completed', statusReason: null } as const
    expect(resultToHl7({ task, pdf, origin, at }, { event: 'T02', completion: 'LA' })).to.deep.equal({
      ok: false,
      held: ['origin: the order has no PID, so the result would have no patient'],
    })
  })

  it('names the one who signed, also where a delegate did, and the time of the seal', () => {
    const signature = { signer: VOSS, onBehalfOf: CALDER }
    const places = ['TXA-22', 'TXA-22.2', 'TXA-22.9', 'TXA-22.13', 'TXA-22.15', 'OBX-14']
    const values = ['9999900027', VOSS.name, 'NPI', 'NPI', '20260114081500+0000', '20260114081500+0000']
    expect(valuesOf({ signature }, ...places)).to.deep.equal(values)
  })

  it('gives the addressed signer as the order does, also when the order names them by an id of its own', () => {
    const local = { TXA: String(mdm.TXA).replace(/9999900019\^Marsh\^[^|]*/, 'D7^Marsh^Quill^^^^^^WILLOW') }
    const own = readMapFile({
      documentTypes: { CMS485: { documentTypeId: 101 } },
      signers: { D7: CALDER.npi },
      signerAuthority: 'WILLOW',
    })
    const { origin } = mapHl7WithOrigin(anOrder(local), own)
    const task = { taskId: 7, status: 'Completed', statusReason: null } as const
    const given = { task, pdf, origin: Hl7Origin.parse(origin), at }
    const of = (signature: Signature) => {
      const one = resultToHl7({ ...given, signature }, { event: 'T02', completion: 'LA' })
      return one.ok ? valueAt(parseMessage(one.message), 'TXA-22') : one.held
    }
    expect(of(SIGNED)).to.equal('D7')
    expect(of({ ...SIGNED, signer: VOSS })).to.equal(VOSS.npi)
  })

  const UNKNOWN = { signer: null, signedAt: null }
  for (const event of ['T02', 'T04', 'T10', 'R01'] as const)
    it(`has in ${event} the time of the event without a verified seal, and no time at all without one`, () => {
      const order = anOrder({ ORC: 'ORC|NW|P-77^EPIC' }, oru)
      const places = ['TXA-22', 'TXA-22.15', 'OBR-22', 'OBX-14']
      const time = '20260113070000+0000'
      const expected = event === 'R01' ? ['', '', time, time] : ['', time, '', time]
      const occurredAtUtc = '2026-01-13T07:00:00Z'
      const verdicts = [undefined, { ...UNKNOWN, verdict: 'unknown' }, { ...UNKNOWN, verdict: 'none' }] as const
      for (const signature of verdicts) {
        const asked = { event, order, ...(signature && { signature }) }
        expect(valuesOf({ ...asked, occurredAtUtc }, ...places)).to.deep.equal(expected)
        expect(valuesOf(asked, ...places)).to.deep.equal(['', '', '', ''])
        expect(valuesOf({ ...asked, occurredAtUtc: 'soon' }, ...places)).to.deep.equal(['', '', '', ''])
      }
    })

  it('is none of a PDF that was changed after it was signed', () => {
    const { held } = result({ signature: { ...UNKNOWN, verdict: 'changed' } }) as { held: readonly string[] }
    expect(held).to.have.length(1)
    expect(held[0]).to.match(/^signature.verdict: changed/)
  })

  const FORMATTED = [
    '\\H\\Marsh\\N\\',
    '\\Z99\\x',
    'one\\.br\\two',
    '\\.sp+2\\',
    '\\C2842\\',
    'C:\\E\\H\\E\\x',
    '\\E\\Z1\\E\\',
    'a\\T\\b\\S\\c\\F\\',
    '\\X41\\',
    '\\\\server\\share',
    '\\E\\.br\\E\\',
  ]
  for (const raw of FORMATTED)
    it(`writes back as it was read: ${raw}`, () => {
      // The order is held when such an escape is in a name that is sent; a mother's maiden name (PID-6) is not.
      const PID = String(mdm.PID).split('|').with(6, raw).join('|')
      const TXA = `${mdm.TXA}|||${raw}^${raw}&${raw}`
      const sent = anOrder({ PID, TXA })
      for (const event of ['T02', 'T04', 'T10'] as const) {
        const lines = Buffer.from(made({ order: sent, event }).message)
          .toString()
          .split('\r')
        expect(lines).to.include(PID)
        expect(lines.find((line) => line.startsWith('TXA'))).to.include(`${raw}^${raw}&${raw}`)
      }
    })

  it('takes no origin that does not begin with a header', () => {
    const origin = originOf(anOrder())
    for (const segments of [[], origin.segments.slice(1)])
      expect(Hl7Origin.safeParse({ ...origin, segments }).success).to.equal(false)
    expect(Hl7Origin.safeParse({ ...origin, characterSet: 'ISO IR 999' }).success).to.equal(false)
  })

  it('is read with the same values by @medplum/core and node-hl7-client, whatever they are', () => {
    const awkward = fc.constantFrom('Smith & Sons|X^Y', 'a~b', 'Núñez', '山田', '\\T\\', "O'Brien", '\u{1f600}')
    const name = fc
      .oneof(awkward, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }))
      .filter((one) => /^\S(.*\S)?$/.test(one) && one !== '""')
    const meant = (raw: string) => readEscapes(raw, usualDelimiters, (bytes) => Buffer.from(bytes).toString())
    fc.assert(
      fc.property(name, fc.constantFrom('T02', 'T04', 'T10'), (family, event) => {
        const sent = parseMessage(anOrder())
        const segments = sent.segments.map((one) =>
          one.name === 'PID' ? { ...one, fields: one.fields.with(4, [[[family], ['Tess']]]) } : one,
        )
        const { message } = made({ order: Buffer.from(textOf({ ...sent, segments })), event })
        const text = Buffer.from(message).toString()
        const patient = Hl7Message.parse(text).getSegment('PID')!
        expect(meant(patient.getField(5).getComponent(1))).to.equal(family)
        expect(patient.getField(7).toString()).to.equal('19520607')
        const theirs = new TheirMessage({ text })
        expect(theirs.get('PID.5.1').toString()).to.equal(family)
        expect(theirs.get('TXA.17').toString()).to.equal('LA')
      }),
      { numRuns: 40, seed: 7 },
    )
  })
})
