/** Results of orders in unusual forms: they are about the document that was sent, and as its sender writes. */
import { expect } from 'chai'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { setFor, textIn } from '../../../lib/hl7/character-set.ts'
import { segmentsOf } from '../../../lib/hl7/message.ts'
import { parseMessage } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'
import { resultToFhir } from '../../../lib/mapping/fhir-result/result-to-fhir.ts'
import { resultToHl7 } from '../../../lib/mapping/hl7-result/result-to-hl7.ts'
import { mapFhirAt } from '../../../lib/mapping/map-fhir-at.ts'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7WithOrigin } from '../../../lib/mapping/map-hl7.ts'
import type { Signature } from '../../../lib/pdf/read-signature.ts'
import { aBundle, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { PDF } from '../../support/hl7/an-order.ts'

type Resource = Record<string, unknown>

const MAP: MapFileInput = { documentTypes: { CMS485: { documentTypeId: 101 }, '52030-8': { documentTypeId: 101 } } }
const AT = Date.UTC(2026, 0, 17, 10, 30)
/** Its Base64 has every character, the padding included. */
const SIGNED_PDF = Buffer.from('%PDF-1.7 \xff\xfe\xfb\xef\xbe>?>? signed', 'latin1')
const SEAL: Signature = {
  verdict: 'valid',
  signer: { name: 'Helen Marsh', npi: '9999900019' },
  onBehalfOf: null,
  signedAt: '2026-01-14T08:15:00.000Z',
  timestamp: null,
  isTest: false,
}
const DELEGATE = { name: 'Ágnes Őri', npi: '9999900027' }

describe('A result in HL7 v2 of an order', () => {
  interface Asked {
    order: string
    event?: 'T02' | 'T04' | 'T10' | 'R01'
    status?: TaskStatus
    reason?: string
    signature?: Partial<Signature>
    charset?: string
  }
  function result({ order, event = 'T10', status = 'Completed', reason, signature, charset }: Asked) {
    const map = readMapFile({ ...MAP, ...(charset && { charset }) })
    const { mapped, origin } = mapHl7WithOrigin(Buffer.from(order), map)
    if (!mapped.ok || origin === undefined) throw new Error(`held: ${mapped.ok ? '' : mapped.held.join()}`)
    const task = { taskId: 7, status, statusReason: reason ?? null }
    return resultToHl7(
      { task, origin, at: AT, pdf: SIGNED_PDF, signature: { ...SEAL, ...signature } },
      { event, completion: 'LA' },
    )
  }
  function made(asked: Asked) {
    const one = result(asked)
    if (!one.ok) throw new Error(one.held.join())
    return { bytes: one.message, read: parseMessage(one.message) }
  }

  const PID = 'PID|1||WC100098^^^WILLOW&1.2.3&ISO^MR||Rowan^Tess^^^^^L||19520607|F|||98 Birch^^Duluth^MN^55802^^H'
  const MARSH = '9999900019^Marsh^Helen^^^^^^NPI^L^^^NPI'
  const header = (type: string, set = '') => `MSH|^~\\&|EPIC|LAKE|CS|CS|20260116080000||${type}|M1|P|2.7||||||${set}`
  const TEXT = 'OBX|1|TX|NOTE||Seen and agreed||||||F'
  const oru = (set = '') =>
    [
      ...[
        header('ORU^R01', set),
        PID,
        'ORC|RE|P-1^EPIC|F-1^LAB',
        `OBR|1|P-1^EPIC|F-1^LAB|CMS485|||20260115|||||||||${MARSH}`,
      ],
      ...[TEXT, `OBX|2|ED|PDF^Document^L|7|^application^pdf^Base64^${PDF}||||||F`, TEXT.replace('OBX|1', 'OBX|3')],
    ].join('\r')
  const mdm = (set = '') =>
    [
      ...[header('MDM^T02', set), PID],
      `TXA|1|CMS485^Plan|AP|20260115||||||${MARSH}||DOC-1^EPIC^1.2.3^ISO|||||DO||AV`,
      `OBX|1|ED|PDF^Document||^application^pdf^Base64^${PDF}||||||F`,
    ].join('\r')

  /** The same message with other delimiters; its values have none of either. */
  const written = (message: string, [field, component, , , subcomponent]: string, encoding: string) =>
    message
      .replace('^~\\&', 'ENCODING')
      .replaceAll('|', field!)
      .replaceAll('^', component!)
      .replaceAll('&', subcomponent!)
      .replace('ENCODING', encoding)
      .replaceAll(PDF, escaped(PDF, `${field}${encoding}`))
  const escaped = (text: string, [field, component, repetition, mark, subcomponent, cut]: string) => {
    const letters = new Map(
      [field, component, repetition, mark, subcomponent, cut].map((one, at) => [one, 'FSRETP'[at]]),
    )
    return [...text].map((one) => (letters.has(one) ? `${mark}${letters.get(one)}${mark}` : one)).join('')
  }
  for (const delimiters of ['|^~\\&', '|^~\\&#', '|^~/&', '|+~\\=', '!:@\\*', '*^~\\&', '$%`?;', '|=~+/'])
    for (const event of ['T02', 'T04', 'T10', 'R01'] as const)
      it(`with the delimiters ${delimiters} is written with them, as ${event}`, () => {
        const order = written(event === 'R01' ? oru() : mdm(), delimiters, delimiters.slice(1))
        const { read, bytes } = made({ order, event })
        expect(
          Buffer.from(bytes)
            .toString('latin1')
            .slice(3, 3 + delimiters.length),
        ).to.equal(delimiters)
        const [pdf, ...others] = segmentsOf(read, 'OBX')
        expect(others).to.deep.equal([])
        expect(Buffer.from(valueAt({ ...read, segments: [pdf!] }, 'OBX-5.5'), 'base64')).to.deep.equal(SIGNED_PDF)
        expect(valueAt(read, 'PID-3')).to.equal('WC100098')
        expect(valueAt(read, 'PID-3.4')).to.equal('WILLOW')
      })

  it('with several observations repeats that of its PDF alone', () => {
    const { read } = made({ order: oru(), event: 'R01' })
    expect(['OBX-3', 'OBX-3.2', 'OBX-4', 'OBX-11'].map((place) => valueAt(read, place))).to.deep.equal([
      ...['PDF', 'Document', '7', 'F'],
    ])
    expect(['OBR-2', 'OBR-3', 'OBR-22', 'OBR-25', 'OBX-14'].map((place) => valueAt(read, place))).to.deep.equal([
      ...['P-1', 'F-1', '20260114081500+0000', 'F', '20260114081500+0000'],
    ])
  })

  const whole = (asked: Asked) =>
    Buffer.from(made(asked).bytes).toString('latin1').replaceAll(SIGNED_PDF.toString('base64'), 'THE-PDF').split('\r')
  const OBX = 'OBX|1|ED|PDF^Document^L|7|^application^pdf^Base64^THE-PDF||||||F|||20260114081500+0000'

  it('is this and nothing else, for an order with requests', () => {
    const head = (event: string, structure: string) =>
      `MSH|^~\\&|CS|CS|EPIC|LAKE|20260117103000+0000||MDM^${event}^${structure}|7-${event}|P|2.7`
    const OBR = `OBR|1|P-1^EPIC|F-1^LAB|CMS485|||20260115|||||||||${MARSH}`
    const request = ['PV1|1|U', 'ORC|RE|P-1^EPIC|F-1^LAB', OBR]
    expect(whole({ order: oru(), event: 'R01' })).to.deep.equal([
      ...[head('R01', 'ORU_R01').replace('MDM', 'ORU'), PID, 'ORC|RE|P-1^EPIC|F-1^LAB'],
      ...[`${OBR}||||||20260114081500+0000|||F`, OBX, ''],
    ])
    expect(whole({ order: oru(), event: 'T02' })).to.deep.equal([
      ...[head('T02', 'MDM_T02'), 'EVN||20260117103000+0000', PID, ...request],
      `TXA|1|CMS485|AP|20260115||||||${MARSH}||7^COUNTERSIGN|F-1^LAB|P-1^EPIC|F-1^LAB||LA||AV|||${MARSH}^^20260114081500+0000`,
      ...[OBX, ''],
    ])
    expect(whole({ order: oru(), event: 'T02', status: 'Rejected', reason: 'No' })).to.deep.equal([
      ...[head('T03', 'MDM_T01'), 'EVN||20260117103000+0000', PID, ...request],
      ...[`TXA|1|CMS485||20260115||||||${MARSH}||F-1^LAB||P-1^EPIC|F-1^LAB||IN||||No`, ''],
    ])
  })

  for (const [set, charset, right] of [
    ['UNICODE UTF-8', undefined, 'utf-8'],
    ['UNICODE UTF-8~8859/1', undefined, 'utf-8'],
    ['~8859/1', undefined, 'utf-8'],
    ['', undefined, 'utf-8'],
    ['8859/2', undefined, 'iso-8859-2'],
    ['8859/2~UNICODE UTF-8', undefined, 'iso-8859-2'],
    ['GB 18030-2000', undefined, 'gb18030'],
    ['', '8859/2', 'iso-8859-2'],
    ['8859/1', undefined, 'refused'],
    ['ASCII', undefined, 'refused'],
    ['', 'Windows-1252', 'refused'],
    ['8859/1~UNICODE UTF-8', undefined, 'refused'],
  ] as const)
    it(`with MSH-18 "${set}"${charset === undefined ? '' : ` and the map's ${charset}`} is ${right}`, () => {
      const one = result({ order: mdm(set), signature: { signer: DELEGATE }, ...(charset && { charset }) })
      if (right === 'refused')
        return expect(one.ok ? 'sent' : one.held.join()).to.contain('character set of its receiver')
      if (!one.ok) throw new Error(one.held.join())
      const text = textIn(one.message, setFor(right)!)!
      expect(text.split('\r')[0]!.split('|')[17] ?? '').to.equal(set)
      return expect(text).to.contain('Ágnes Őri')
    })

  it('that was refused says why, in one segment and without who signed', () => {
    const reason = 'a|b^c~d\\e&f\r\nPID|9\rMSH|'
    const { read } = made({ order: mdm(), status: 'Rejected', reason })
    expect(read.segments.map(({ name }) => name)).to.deep.equal(['MSH', 'EVN', 'PID', 'PV1', 'TXA'])
    expect(valueAt(read, 'TXA-21')).to.equal(reason)
    expect(['TXA-17', 'TXA-19', 'TXA-22'].map((place) => valueAt(read, place))).to.deep.equal(['IN', 'AV', ''])
  })

  it('names the delegate who signed, and no one where the seal does not say', () => {
    const signed = made({ order: mdm(), signature: { signer: DELEGATE, onBehalfOf: SEAL.signer } }).read
    expect(valueAt(signed, 'TXA-22')).to.equal(DELEGATE.npi)
    const unknown = made({ order: mdm(), signature: { verdict: 'none', signer: null, signedAt: null } }).read
    expect(valueAt(unknown, 'TXA-22')).to.equal('')
  })
})

describe('A result in FHIR R4 of an order', () => {
  async function result(json: unknown, signature: Partial<Signature> = {}, provenance = false) {
    const { mapped, origin } = await mapFhirAt(json, MAP, async () => null, AT)
    if (!mapped.ok || origin === null) throw new Error(`held: ${mapped.ok ? '' : mapped.held.join()}`)
    const task = { taskId: 7, status: 'Completed' as const, statusReason: null, externalDocId: 'DOC', updatedAt: null }
    const one = resultToFhir(
      { task, origin, at: AT, pdf: SIGNED_PDF, signature: { ...SEAL, ...signature }, occurredAtUtc: undefined },
      { content: 'inline', dayWithTime: false, provenance },
    )
    if (!one.ok) throw new Error(one.held.join())
    return one.resource as Resource
  }
  const at = (path: string) => ({ reference: `https://ehr.example/${path}` })
  const replaced = (target: unknown) => [{ code: 'replaces', target }]
  const earlier = (id: string) => ({
    ...{ ...document, id, masterIdentifier: { system: 'urn:lake:docs', value: id } },
    title: 'Earlier',
    description: 'The earlier version',
  })
  const replacing = { relatesTo: [{ code: 'replaces', target: { reference: 'DocumentReference/doc0' } }] }

  it('that replaced another document replaces the new one, wherever it is in the Bundle', async () => {
    for (const resources of [
      [earlier('doc0'), { ...document, ...replacing }, patient, practitioner],
      [{ ...document, ...replacing }, earlier('doc0'), patient, practitioner],
    ]) {
      const { relatesTo, description } = await result(aBundle(...resources))
      expect(relatesTo).to.deep.equal(replaced(at('DocumentReference/doc1')))
      expect(description).to.equal(undefined)
    }
  })

  it('that replaced another request names the new one', async () => {
    const old = { ...request, id: 's0', identifier: [{ system: 'urn:lake:orders', value: 'ORD-0' }] }
    const current = { ...request, replaces: [{ reference: 'ServiceRequest/s0' }] }
    const { context } = await result(aBundle(old, current, document, patient, role, practitioner))
    expect(context).to.deep.include({ related: [at('ServiceRequest/s1')] })
  })

  it('with a second document that is not a PDF replaces the PDF', async () => {
    const other = {
      ...earlier('doc2'),
      content: [{ attachment: { contentType: 'text/xml', data: 'PGEvPg==' } }],
    }
    const both = {
      ...request,
      supportingInfo: ['doc2', 'doc1'].map((id) => ({ reference: `DocumentReference/${id}` })),
    }
    const { relatesTo, description } = await result(aBundle(both, other, document, patient, role, practitioner))
    expect(relatesTo).to.deep.equal(replaced(at('DocumentReference/doc1')))
    expect(description).to.equal(undefined)
  })

  it('names the document that IHE MHD supersedes, and no other profile does', async () => {
    const { origin } = await mapFhirAt(aBundle(document, patient, practitioner), MAP, async () => null, AT)
    const task = { taskId: 7, status: 'Completed' as const, statusReason: null, externalDocId: 'DOC', updatedAt: null }
    const supersedes = (profile: 'plain' | 'us-core' | 'mhd', status: TaskStatus = 'Completed') => {
      const given = { task: { ...task, status }, origin: origin!, at: AT, pdf: SIGNED_PDF, signature: SEAL }
      const one = resultToFhir(given, { content: 'inline', dayWithTime: false, profile })
      return one.ok ? one.supersedes : one.held
    }
    expect(supersedes('mhd')).to.equal('https://ehr.example/DocumentReference/doc1')
    for (const profile of ['plain', 'us-core'] as const) expect(supersedes(profile)).to.equal(undefined)
    expect(supersedes('mhd', 'Rejected')).to.equal(undefined)
  })

  it('of a contained patient names the identifier that is in use', async () => {
    const [current] = patient.identifier as Resource[]
    const expired = { ...current, value: 'OLD', period: { end: '2021-01-01' } }
    const contained = [
      { ...patient, id: 'p', identifier: [expired, current] },
      { ...practitioner, id: 'd' },
    ]
    const { subject } = await result({
      ...document,
      contained,
      ...{ subject: { reference: '#p' }, authenticator: { reference: '#d' } },
    })
    expect(subject).to.deep.equal({ type: 'Patient', identifier: current })
  })

  it('has a Provenance with who signed and for whom, and none where the seal does not say', async () => {
    const signed = await result(
      aBundle(document, patient, practitioner),
      { signer: DELEGATE, onBehalfOf: SEAL.signer },
      true,
    )
    const [provenance] = signed.entry as { resource: Resource }[]
    const [agent] = provenance!.resource.agent as Resource[]
    expect(agent?.who).to.deep.include({ display: 'Ágnes Őri' })
    expect(agent?.onBehalfOf).to.deep.equal(at('Practitioner/d1'))
    for (const missing of [{ signer: null }, { signedAt: null }])
      expect((await result(aBundle(document, patient, practitioner), missing, true)).resourceType).to.equal(
        'DocumentReference',
      )
  })
})
