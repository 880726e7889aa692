/** ORU^R01 between implementations: two others read the results that are written here, and their results are read here. */
import { Hl7Message } from '@medplum/core'
import { expect } from 'chai'
import { Message as TheirMessage } from 'node-hl7-client'
import { usualDelimiters } from '../../../lib/hl7/delimiters.ts'
import { readEscapes } from '../../../lib/hl7/escapes.ts'
import { resultToHl7 } from '../../../lib/mapping/hl7-result/result-to-hl7.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7, mapHl7WithOrigin } from '../../../lib/mapping/map-hl7.ts'
import { anOrder, oru } from '../../support/hl7/an-order.ts'

const map = readMapFile({ documentTypes: { CMS485: { documentTypeId: 101 } } })
/** Bytes of every value, so that its Base64 has every character, and one that fills up its end. */
const pdf = Buffer.from(`%PDF-1.7\n${String.fromCharCode(...Array(256).keys()).repeat(40)}\n%%EOF\n`, 'latin1')
const order = anOrder({ ORC: 'ORC|NW|P-77^EPIC', PID: String(oru.PID).replace('Rowan', "O'Brien \\T\\ Núñez") }, oru)

/** Where values of the result stand, and what they are. */
const VALUES = {
  'MSH.9.1': 'ORU',
  'MSH.9.2': 'R01',
  'MSH.9.3': 'ORU_R01',
  'MSH.10': '7-R01',
  'PID.3.1': 'WC100098',
  'PID.3.4': 'WILLOW',
  'PID.5.1': "O'Brien & Núñez",
  'PID.5.2': 'Tess',
  'PID.7': '19520607',
  'ORC.1': 'RE',
  'OBR.2.1': 'P-77',
  'OBR.3.1': 'F-88',
  'OBR.3.2': 'LAB',
  'OBR.4.1': 'CMS485',
  'OBR.16.1': '9999900019',
  'OBR.25': 'F',
  'OBX.2': 'ED',
  'OBX.3.1': 'PDF',
  'OBX.5.2': 'application',
  'OBX.5.3': 'pdf',
  'OBX.5.4': 'Base64',
  'OBX.11': 'F',
}

/** Our result of the order, as text. */
function written(): string {
  const { origin } = mapHl7WithOrigin(order, map)
  const task = { taskId: 7, status: 'Completed', statusReason: null } as const
  const result = resultToHl7(
    { task, pdf, origin: origin!, at: Date.UTC(2026, 0, 17) },
    { event: 'R01', completion: 'LA' },
  )
  if (!result.ok) throw new Error(result.held.join())
  return Buffer.from(result.message).toString()
}

const isSame = (base64: string) => expect(Buffer.from(base64, 'base64').equals(pdf)).to.equal(true)

describe('A result as ORU^R01', () => {
  it('is read by @medplum/core with the same values, and the PDF byte for byte', () => {
    const message = Hl7Message.parse(written())
    // It reads no escapes, so ours does, of what it found at the place.
    const meant = (raw: string) => readEscapes(raw, usualDelimiters, (bytes) => Buffer.from(bytes).toString())
    const at = (place: string) => {
      const [segment = '', field, component = '1'] = place.split('.')
      return meant(message.getSegment(segment)!.getField(Number(field)).getComponent(Number(component)))
    }
    expect(Object.fromEntries(Object.keys(VALUES).map((place) => [place, at(place)]))).to.deep.equal(VALUES)
    isSame(at('OBX.5.5'))
  })

  it('is read by node-hl7-client with the same values, and the PDF byte for byte', () => {
    const message = new TheirMessage({ text: written() })
    const at = (place: string) => message.get(place).toString()
    expect(Object.fromEntries(Object.keys(VALUES).map((place) => [place, at(place)]))).to.deep.equal(VALUES)
    isSame(at('OBX.5.5'))
  })

  /** The request that is made of a result of others, which must hold what they have written. */
  function expectOrder(message: string) {
    const mapped = mapHl7(Buffer.from(message), map)
    if (!mapped.ok || mapped.action !== 'create') throw new Error('The message was held.')
    const { patient, performers, document } = mapped.body
    expect(patient.names).to.deep.equal([{ use: 'official', family: 'Lund', given: ['Ida'] }])
    expect(patient.externalId).to.equal('WILLOW|WC100005')
    expect(performers[0]?.signer.userNPI).to.equal('9999900019')
    expect(document).to.include({ documentTypeId: 101, externalDocId: 'LAB|F-88', effectiveDate: '2026-01-15' })
    isSame(document.attachment)
  }

  it('of @medplum/core is read with the same values, and the PDF byte for byte', () => {
    const message = Hl7Message.parse(Buffer.from(anOrder({}, oru)).toString())
    message.getSegment('PID')!.setField(3, 'WC100005^^^WILLOW^MR')
    message.getSegment('PID')!.setField(5, 'Lund^Ida^^^^^L')
    message.getSegment('OBX')!.setField(5, `^application^pdf^Base64^${pdf.toString('base64')}`)
    expectOrder(message.toString())
  })

  it('of node-hl7-client is read with the same values, and the PDF byte for byte', () => {
    const message = new TheirMessage({
      messageHeader: { msh_9_1: 'ORU', msh_9_2: 'R01', msh_10: 'C1', msh_11_1: 'P' },
    })
    const segments: Record<string, Record<string, string>> = {
      PID: {
        ...{ '3.1': 'WC100005', '3.4': 'WILLOW', '3.5': 'MR', '5.1': 'Lund', '5.2': 'Ida', '5.7': 'L' },
        ...{ '7': '19460505', '8': 'F', '11.1': '5 Alder Street', '11.3': 'Duluth', '11.4': 'MN', '11.5': '55802' },
      },
      OBR: { '3.1': 'F-88', '3.2': 'LAB', '4.1': 'CMS485', '7': '20260115093000', '16.1': '9999900019' },
      OBX: {
        '2': 'ED',
        '3.1': 'PDF',
        '5.2': 'application',
        '5.3': 'pdf',
        '5.4': 'Base64',
        '5.5': pdf.toString('base64'),
      },
    }
    for (const [name, values] of Object.entries(segments)) {
      const segment = message.addSegment(name)
      for (const [place, value] of Object.entries(values)) segment.set(place, value)
    }
    expectOrder(message.toString())
  })
})
