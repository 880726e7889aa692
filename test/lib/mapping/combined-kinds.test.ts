/** Messages that combine features which each have a rule: batches, corrections, replacements, participations, merges, and days. */
import { expect } from 'chai'
import { takeApart } from '../../../lib/hl7/batch.ts'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { aBundle, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { PDF } from '../../support/hl7/an-order.ts'
import { mappedBundle } from '../../support/hl7/mapped-bundle.ts'
import { bodyOf } from '../../support/hl7/what-became.ts'

const MAP: MapFileInput = {
  documentTypes: { CMS485: { documentTypeId: 101 } },
  organizations: { LAKE: '9999901017', HILL: '9999901025' },
}
const MARSH = '9999900019^Marsh^Helen^^^^^^NPI^L^^^NPI'
const REED = '9999900027^Reed^Omar^^^^^^NPI^L^^^NPI'

const msh = (type: string, { id = 'M1', processing = 'P', at = '20260116080000' } = {}) =>
  `MSH|^~\\&|EPIC|LAKE|CS|CS|${at}||${type}|${id}|${processing}|2.5.1`
const pid = (mrn = 'WC100098^^^WILLOW^MR') =>
  `PID|1||${mrn}||Rowan^Tess^^^^^L||19520607|F|||98 Birch^^Duluth^MN^55802^^H||2185550198^PRN^PH`
const obx = (status = 'F', number = 1, sub = '') =>
  `OBX|${number}|ED|PDF^Document|${sub}|^application^pdf^Base64^${PDF}||||||${status}`
const TEXT = 'OBX|1|TX|NOTE||Seen||||||F'
const txa = ({
  id = 'D-1^EPIC',
  parent = '',
  completion = '',
  availability = '',
  originator = '',
  signer = MARSH,
} = {}) =>
  `TXA|1|CMS485^Plan|AP|20260115|||||${originator}|${signer}||${id}|${parent}||||${completion}||${availability}`
const orc = (control: string, { placer = 'P-1^EPIC', filler = 'F-1^LAB', signer = MARSH, facility = '' } = {}) =>
  `ORC|${control}|${placer}|${filler}|||||||||${signer}|||||||||${facility}`
const obr = (status = 'F', { placer = 'P-1^EPIC', filler = 'F-1^LAB', signer = MARSH } = {}) =>
  `OBR|1|${placer}|${filler}|CMS485^Document|||20260115|||||||||${signer}|||||||||${status}`
const NO_ONE = { signer: '' }
const SECOND = { placer: 'P-2^EPIC', filler: 'F-2^LAB' }
const prt = (person: string, { action = 'AD', role = 'OP', facility = '', from = '', until = '' } = {}) =>
  `PRT|1|${action}||${role}|${person}|||${facility}|||${from}|${until}`

/** Returns what becomes of each message of a frame, in a line each: the action, the ids, the patient, the signer, the organization. */
function became(segments: readonly string[], map: MapFileInput = {}): string {
  const bytes = Buffer.from(`${segments.join('\r')}\r`)
  const messages = takeApart(bytes)?.groups.flatMap(({ messages }) => messages) ?? [bytes]
  return messages.map((one) => said(mapHl7(one, readMapFile({ ...MAP, ...map })))).join('\n')
}

function said(result: Mapped): string {
  if (!result.ok) return `held ${result.held.map((reason) => reason.split(':')[0]).join(' ')}`
  if (result.action === 'retract') return `retract ${[result.externalDocId, ...(result.aliases ?? [])].join(' ')}`
  const { patient: of, performers, document: sent } = bodyOf(result)
  const [who] = performers
  const facts = [sent.externalDocId, of.externalId, who?.signer.userNPI, who?.organization?.orgNPI ?? '-'].join(' ')
  return result.action === 'replace' ? `replace ${result.replaces?.join(' ')} by ${facts}` : `create ${facts}`
}

const OF_LAKE = 'WILLOW|WC100098 9999900019 9999901017'
const CREATE = `create EPIC|D-1 ${OF_LAKE}`
const RESULT = `create LAB|F-1 ${OF_LAKE}`
const T02 = 'MDM^T02^MDM_T02'
const document_ = (mrn: string, at?: string) => [msh(T02, at === undefined ? {} : { at }), pid(mrn), txa(), obx()]
const result = (...segments: string[]) => [msh('ORU^R01'), pid(), ...segments]

const CASES: Record<string, { message: readonly string[]; map?: MapFileInput; right: string }> = {
  'a batch with an order and its withdrawal': {
    message: [
      'BHS|^~\\&',
      ...[msh(T02), pid(), txa(), obx()],
      ...[msh('MDM^T11', { id: 'M2' }), pid(), txa()],
      'BTS|2',
    ],
    right: `${CREATE}\nretract EPIC|D-1`,
  },
  'a batch with a withdrawal before its order': {
    message: [
      'BHS|^~\\&',
      ...[msh('MDM^T11'), pid(), txa()],
      ...[msh(T02, { id: 'M2' }), pid(), txa(), obx()],
      'BTS|2',
    ],
    right: `retract EPIC|D-1\n${CREATE}`,
  },
  'a batch with a real message and one for training': {
    message: [
      'BHS|^~\\&',
      ...[msh(T02), pid(), txa(), obx()],
      ...[msh(T02, { id: 'M2', processing: 'T' }), pid(), txa(), obx()],
      'BTS|2',
    ],
    right: `${CREATE}\nheld MSH-11`,
  },
  'a batch whose second message has other delimiters': {
    message: [
      'BHS|^~\\&',
      ...[msh(T02), pid(), txa(), obx()],
      ...[msh('MDM^T11', { id: 'M2' }), pid(), txa()].map((line) => line.replaceAll('|', '$')),
      'BTS|2',
    ],
    right: `${CREATE}\nretract EPIC|D-1`,
  },
  'a batch with two patients under one document': {
    message: ['BHS|^~\\&', ...document_('A1^^^WILLOW^MR'), ...document_('A2^^^WILLOW^MR'), 'BTS|2'],
    right: ['A1', 'A2'].map((id) => CREATE.replace('WC100098', id)).join('\n'),
  },
  'a corrected result': {
    message: result(orc('RE'), obr('C'), obx('C')),
    right: `replace LAB|F-1 EPIC|P-1 by LAB|F-1 ${OF_LAKE}`,
  },
  'a corrected observation under a final result': {
    message: result(orc('RE'), obr('F'), obx('C')),
    right: `replace LAB|F-1 EPIC|P-1 by LAB|F-1 ${OF_LAKE}`,
  },
  'a corrected PDF next to a final one': {
    message: result(orc('RE'), obr('C'), obx('C'), obx('F', 2, '2')),
    right: 'held OBX-5',
  },
  'a corrected result of a canceled order': {
    message: result(orc('CA'), obr('C'), obx('C')),
    right: 'retract LAB|F-1 EPIC|P-1',
  },
  'a deleted PDF next to a final text': {
    message: result(orc('RE'), obr('F'), TEXT, obx('D', 2)),
    right: 'retract LAB|F-1 EPIC|P-1',
  },
  'a result of which a part is available': { message: result(orc('RE'), obr('A'), obx()), right: 'held OBR-25' },
  'a result next to an order with a code that is not listed': {
    message: result(orc('RE', SECOND), obr('QQ', SECOND), TEXT, orc('RE'), obr(), obx()),
    right: 'held OBR-25',
  },
  'a new order next to one that is on hold': {
    message: [msh('ORM^O01'), pid(), orc('HD', SECOND), obr('', SECOND), TEXT, orc('NW'), obr(''), obx()],
    right: 'held ORC[1], ORC[2]',
  },
  'a result next to an order that is on hold': {
    message: result(orc('HD', SECOND), obr('', SECOND), TEXT, orc('RE'), obr(), obx()),
    right: RESULT,
  },
  'two visits of one result': {
    message: [msh('ORU^R01'), pid(), 'PV1|1|O|W^^^LAKE', 'PV1|2|O|W^^^LAKE', orc('RE'), obr(), obx()],
    right: 'held PV1',
  },
  'two visits of one document': {
    message: [msh(T02), pid(), 'PV1|1|O|W^^^LAKE', 'PV1|2|O|W^^^LAKE', txa(), obx()],
    right: 'held PV1',
  },
  'a result that ends next to one that does not': {
    message: result(orc('RE', SECOND), obr('X', SECOND), TEXT, orc('RE'), obr(), TEXT),
    right: 'retract LAB|F-2 EPIC|P-2',
  },
  'a document of two orders of which one has ended': {
    message: [msh(T02), pid(), orc('NW'), obr(''), orc('NW', SECOND), obr('X', SECOND), txa(), obx()],
    right: 'held ORC',
  },
  'a document that ends while its order does not': {
    message: [msh(T02), pid(), orc('NW'), obr(''), txa({ availability: 'CA' }), obx()],
    right: 'retract EPIC|D-1',
  },
  'a deleted document whose data is empty': {
    message: result(orc('RE'), obr('F'), TEXT, 'OBX|2|ED|PDF^Document||||||||D'),
    right: 'retract LAB|F-1 EPIC|P-1',
  },
  'a deleted text next to a document whose data is empty': {
    message: result(orc('RE'), obr('F'), TEXT.replace('|F', '|D'), 'OBX|2|ED|PDF^Document||||||||F'),
    right: 'held OBX-5',
  },
  'an answer to an order': { message: result(orc('OK'), obr(), obx()), right: 'held ORC-1' },
  'a change of the status of an order': { message: result(orc('SC'), obr('C'), obx('C')), right: 'held ORC-1' },
  'a corrected document that comes as a new one': {
    message: [msh('ORM^O01'), pid(), orc('XO'), obr(''), obx()],
    right: `replace EPIC|P-1 LAB|F-1 by EPIC|P-1 ${OF_LAKE}`,
  },
  'a replacement that is already signed': {
    message: [msh('MDM^T10'), pid(), txa({ parent: 'D-0^EPIC', completion: 'AU' }), obx()],
    right: 'held TXA-17',
  },
  'a replacement that is withdrawn by its status': {
    message: [msh('MDM^T10'), pid(), txa({ parent: 'D-0^EPIC', availability: 'CA' }), obx()],
    right: 'held TXA-13',
  },
  'a replacement of two documents': {
    message: [msh('MDM^T10'), pid(), txa({ parent: 'D-0^EPIC~D-9^EPIC' }), obx()],
    right: 'held TXA-13',
  },
  'a replacement that names one document twice': {
    message: [msh('MDM^T10'), pid(), txa({ parent: 'D-0^EPIC~D-0^EPIC' }), obx()],
    right: `replace EPIC|D-0 by EPIC|D-1 ${OF_LAKE}`,
  },
  'a withdrawal that names a parent': {
    message: [msh('MDM^T11'), pid(), txa({ parent: 'D-0^EPIC' })],
    right: 'retract EPIC|D-1',
  },
  'a correction that names a parent and is canceled': {
    message: [msh('MDM^T08'), pid(), txa({ parent: 'D-0^EPIC', availability: 'CA' }), obx()],
    right: 'retract EPIC|D-1',
  },
  'an organization of the signer that contradicts the order': {
    message: result(
      orc('RE', { ...NO_ONE, facility: 'LAKE' }),
      prt(MARSH, { facility: 'HILL' }),
      obr('F', NO_ONE),
      obx(),
    ),
    right: 'held ORC-21, PRT-8',
  },
  'two organizations of one signer': {
    message: result(
      orc('RE', NO_ONE),
      prt(MARSH, { facility: 'LAKE' }),
      prt(MARSH, { facility: 'HILL' }),
      obr('F', NO_ONE),
      obx(),
    ),
    right: 'held PRT-8',
  },
  'an organization of the signer alone': {
    message: result(orc('RE', NO_ONE), prt(MARSH, { facility: 'HILL' }), obr('F', NO_ONE), obx()),
    right: RESULT.replace('9999901017', '9999901025'),
  },
  'an organization of the signer that the table lacks': {
    message: result(orc('RE', NO_ONE), prt(MARSH, { facility: 'DALE' }), obr('F', NO_ONE), obx()),
    right: 'held PRT-8',
  },
  'the organization of someone else': {
    message: result(orc('RE'), prt(REED, { role: 'RO', facility: 'HILL' }), obr(), obx()),
    right: RESULT,
  },
  'two facilities of which one is of the order': {
    message: [msh('ORU^R01'), pid(), 'PV1|1|O|W^^^HILL', orc('RE', { facility: 'LAKE' }), obr(), obx()],
    right: 'held ORC-21, PV1-3',
  },
  'two people who take part': {
    message: result(orc('RE', NO_ONE), prt(MARSH), prt(REED), obr('F', NO_ONE), obx()),
    right: 'held PRT-5',
  },
  'a person whose participation is deleted next to another': {
    message: result(orc('RE', NO_ONE), prt(REED, { action: 'DE' }), prt(MARSH), obr('F', NO_ONE), obx()),
    right: RESULT,
  },
  'a person whose participation is deleted alone': {
    message: result(orc('RE', NO_ONE), prt(REED, { action: 'DE' }), obr('F', NO_ONE), obx()),
    right: 'held ORC-12, OBR-16, PRT-5, OBR-32',
  },
  'a person whose participation is unlinked': {
    message: result(orc('RE'), prt(REED, { action: 'un' }), obr(), obx()),
    right: RESULT,
  },
  'a person whose participation is deleted as table 0206 says it': {
    message: result(orc('RE', NO_ONE), prt(REED, { action: 'D' }), prt(MARSH), obr('F', NO_ONE), obx()),
    right: RESULT,
  },
  'a person whose participation has an action that no table has': {
    message: result(orc('RE', NO_ONE), prt(MARSH, { action: 'QQ' }), obr('F', NO_ONE), obx()),
    right: 'held PRT-2',
  },
  'an action that no table has, of someone else': {
    message: result(orc('RE'), prt(REED, { action: 'QQ', role: 'RO' }), obr(), obx()),
    right: RESULT,
  },
  'a person whose participation has ended': {
    message: result(orc('RE', NO_ONE), prt(REED, { until: '20260115' }), obr('F', NO_ONE), obx()),
    right: 'held ORC-12, OBR-16, PRT-5, OBR-32',
  },
  'a person whose participation begins tomorrow': {
    message: result(orc('RE'), prt(REED, { from: '20260117' }), obr(), obx()),
    right: RESULT,
  },
  'a person whose participation ends today': {
    message: result(orc('RE', NO_ONE), prt(MARSH, { from: '20260116', until: '20260116' }), obr('F', NO_ONE), obx()),
    right: RESULT,
  },
  'a signer who is named in another order only': {
    message: result(
      ...[orc('RE', NO_ONE), obr('F', NO_ONE), obx()],
      ...[
        orc('RE', { placer: 'P-2^EPIC', filler: 'F-2^LAB', signer: '' }),
        prt(REED),
        obr('F', { placer: 'P-2^EPIC', filler: 'F-2^LAB', signer: '' }),
        TEXT,
      ],
    ),
    right: 'held ORC-12, OBR-16, PRT-5, OBR-32',
  },
  'one id of two authorities as originator and signer': {
    message: [msh(T02), pid(), txa({ originator: '1173^Marsh^^^^^^^HUBA', signer: '1173^Marsh^^^^^^^HUBB' }), obx()],
    map: { signers: { 'HUBA|1173': '9999900019', 'HUBB|1173': '9999900027' } },
    right: 'held TXA-10, TXA-9',
  },
  'a merge of patients': { message: [msh('ADT^A40'), pid(), 'MRG|OLD1^^^WILLOW^MR'], right: 'held MSH-9' },
  'a patient whose number the message merges away': {
    message: [msh(T02), pid(), 'MRG|WC100098^^^WILLOW^MR', txa(), obx()],
    right: 'held PID-3 PID-3(1)',
  },
  'a merge of the same number of another authority': {
    message: [msh(T02), pid(), 'MRG|WC100098^^^ALDER^MR', txa(), obx()],
    right: CREATE,
  },
  'a patient who has died': {
    message: [msh(T02), `${pid()}${'|'.repeat(16)}20260110|Y`, txa(), obx()],
    right: CREATE,
  },
  'a number that expires on the day of the message': {
    message: document_('WC100098^^^WILLOW^MR^^20200101^20260116'),
    right: CREATE,
  },
  'a number that expired on the day before': {
    message: document_('WC100098^^^WILLOW^MR^^20200101^20260115'),
    right: 'held PID-3 PID-3(1)',
  },
  'a number that expired an hour before, on the same day': {
    message: document_('WC100098^^^WILLOW^MR^^^202601160700'),
    right: CREATE,
  },
  'a number that expired in another time zone': {
    message: document_('WC100098^^^WILLOW^MR^^^20260115', '20260116003000+0000'),
    right: 'held PID-3 PID-3(1)',
  },
  'a number that expires in the year of the message': {
    message: document_('WC100098^^^WILLOW^MR^^^2026'),
    right: CREATE,
  },
  'a number that expired in the year before': {
    message: document_('WC100098^^^WILLOW^MR^^^2025'),
    right: 'held PID-3 PID-3(1)',
  },
  'a number that begins tomorrow': {
    message: document_('WC100098^^^WILLOW^MR^^20260117'),
    right: 'held PID-3 PID-3(1)',
  },
  'an expired number before one in use': {
    message: document_('OLD1^^^WILLOW^MR^^^20210101~WC100098^^^WILLOW^MR'),
    right: CREATE,
  },
  'a number without digits before one in use': {
    message: document_('^^^WILLOW^MR~WC100098^^^WILLOW^MR'),
    right: CREATE,
  },
  'a number without digits': { message: document_('^^^WILLOW^MR'), right: 'held PID-3' },
  'a number of another type than that of mrnAuthority': {
    message: document_('WC100098^^^WILLOW^PI'),
    map: { mrnAuthority: 'ALDER', patientIdTypes: ['PI'] },
    right: CREATE,
  },
  'a record number of another authority than mrnAuthority': {
    message: document_('WC100098^^^WILLOW^MR'),
    map: { mrnAuthority: 'ALDER' },
    right: 'held PID-3',
  },
  'a number with a bar and without an authority': {
    message: [msh(T02).replace('|LAKE|', '||'), pid('A\\F\\1^^^^MR'), txa(), obx()],
    right: 'create EPIC|D-1 A\\F\\1 9999900019 -',
  },
  'an order of current work': { message: [msh(T02, { processing: 'P^T' }), pid(), txa(), obx()], right: CREATE },
  'an order of an archive': { message: [msh(T02, { processing: 'P^A' }), pid(), txa(), obx()], right: 'held MSH-11.2' },
  'an order that is restored from an archive': {
    message: [msh(T02, { processing: 'P^R' }), pid(), txa(), obx()],
    right: 'held MSH-11.2',
  },
  'an order of current work for debugging': {
    message: [msh(T02, { processing: 'D^T' }), pid(), txa(), obx()],
    right: 'held MSH-11',
  },
  'an archive that withdraws': {
    message: [msh('MDM^T11', { processing: 'P^A' }), pid(), txa()],
    right: 'held MSH-11.2',
  },
  'Japanese letters of a set that the second repetition of MSH-18 names': {
    message: [`${msh(T02)}||||||~ISO IR87`, pid().replace('Rowan', '\u001b$B;3ED\u001b(B'), txa(), obx()],
    right: 'held PID-5(1)',
  },
}

describe('An HL7 v2 message that combines features', () => {
  for (const [name, { message, map, right }] of Object.entries(CASES))
    it(`${name}: ${right
      .split('\n')
      .map((line) => line.split(' ')[0])
      .join(', ')}`, () => {
      expect(became(message, map)).to.equal(right)
    })
})

describe('A FHIR message that combines features', () => {
  type Resource = Record<string, unknown>
  const older = { ...document, id: 'doc0', masterIdentifier: { system: 'urn:lake:docs', value: 'DOC-0' } }
  const replaces = (id: string) => ({
    relatesTo: [{ code: 'replaces', target: { reference: `DocumentReference/${id}` } }],
  })
  const of = (...resources: Resource[]) => said(mappedBundle(aBundle(...resources)))
  const task = (change: Resource) => ({
    resourceType: 'Task',
    id: 't1',
    status: 'requested',
    intent: 'order',
    focus: { reference: 'DocumentReference/doc1' },
    ...change,
  })

  it('withdraws a replacement alone, and not what it has replaced', () => {
    const withdrawn = { ...document, ...replaces('doc0'), status: 'entered-in-error' }
    expect(of(withdrawn, older, patient, practitioner)).to.equal('retract urn:lake:docs|DOC-000123')
    const canceled = task({ status: 'cancelled' })
    expect(of(canceled, { ...document, ...replaces('doc0') }, older, patient, practitioner)).to.equal(
      'retract urn:lake:docs|DOC-000123',
    )
  })

  it('is held when it replaces the document of another patient, also as one of two', () => {
    const foreign = { ...older, id: 'doc9', subject: { reference: 'Patient/p2' } }
    const both = { relatesTo: [...replaces('doc0').relatesTo, ...replaces('doc9').relatesTo] }
    expect(of({ ...document, ...both }, older, foreign, patient, practitioner)).to.match(/^held .*relatesTo\[1\]/)
    const replaced = { ...request, id: 's0', identifier: [{ system: 'urn:lake:orders', value: 'ORD-0' }] }
    const one = { ...request, replaces: [{ reference: 'ServiceRequest/s0' }] }
    const rest = [document, patient, role, practitioner]
    expect(of(one, replaced, ...rest)).to.match(/^replace urn:lake:orders\|ORD-0 by urn:lake:orders\|ORD-7/)
    const ofOther = { ...replaced, subject: { reference: 'Patient/p2' } }
    expect(of(one, ofOther, ...rest)).to.match(/^held ServiceRequest.replaces\[0\]/)
  })

  it('is held when a superseded document is amended, and sent when its replacement is not verified yet', () => {
    expect(of({ ...document, status: 'superseded', docStatus: 'amended' }, patient, practitioner)).to.match(/^held/)
    const preliminary = { ...document, ...replaces('doc0'), docStatus: 'preliminary' }
    expect(of(preliminary, older, patient, practitioner)).to.match(/^replace urn:lake:docs\|DOC-0 by/)
  })

  it('uses the id that is in use when another one has expired', () => {
    const [current] = patient.identifier as Resource[]
    const expired = { ...current, value: 'OLD1', period: { end: '2021-01-01' } }
    const ids = { ...patient, identifier: [expired, current] }
    expect(of(document, ids, practitioner)).to.contain('|WC100098 ')
    expect(of(document, { ...patient, identifier: [expired] }, practitioner)).to.match(/^held Patient.identifier/)
  })
})

describe('A number of a patient in HL7 v2', () => {
  const identifiersOf = (mrn: string, ssn = '') =>
    bodyOf(
      mapHl7(
        Buffer.from([msh(T02), `${pid(mrn)}${'|'.repeat(6)}${ssn}`, txa(), obx()].join('\r')),
        readMapFile({ ...MAP, ssn: 'full' }),
      ),
    ).patient.identifiers

  it('is sent as a medical record number with 6 to 10 letters and digits', () => {
    for (const mrn of ['WC1000', 'WC10009812'])
      expect(identifiersOf(`${mrn}^^^WILLOW^MR`)).to.deep.equal([{ authority: 'mrn', value: mrn }])
    for (const mrn of ['WC100', 'WC100098123']) expect(identifiersOf(`${mrn}^^^WILLOW^MR`)).to.deep.equal([])
  })

  it('is sent as a Social Security Number only when all of it is one', () => {
    const mrn = 'W1^^^WILLOW^MR'
    expect(identifiersOf(mrn, ' 219-09-8765 ')).to.deep.equal([{ authority: 'ssn', value: '219098765' }])
    for (const ssn of ['1219098765', '2190987651', 'A219098765', '219098765A', '""', '000-00-0000'])
      expect(identifiersOf(mrn, ssn), ssn).to.deep.equal([])
  })
})
