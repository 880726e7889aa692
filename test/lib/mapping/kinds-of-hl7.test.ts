/** Messages of the kinds that once were guessed at, in other forms than those that were reported. */
import { expect } from 'chai'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { PDF } from '../../support/hl7/an-order.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

const MAP: MapFileInput = {
  documentTypes: { CMS485: { documentTypeId: 101 }, WOUND: { documentTypeId: 104 } },
  organizations: { LAKE: '9999901017' },
}
const MARSH = '9999900019^Marsh^Helen^^^^^^NPI^L^^^NPI'
const REED = '9999900027^Reed^Omar^^^^^^NPI^L^^^NPI'
const HEAD = (type: string) => `MSH|^~\\&|EPIC|LAKE|CS|CS|20260116080000||${type}|MSG1|P|2.5.1`
const PID =
  'PID|1||WC100098^^^WILLOW^MR||Rowan^Tess^May^^^^L||19520607|F|||98 Birch Lane^^Duluth^MN^55802^^H||2185550198^PRN^PH'
const FILE = (number = 1) => `OBX|${number}|ED|PDF^Document||^application^pdf^Base64^${PDF}||||||F`
const TEXT = 'OBX|1|TX|NOTE^Note||Seen in clinic||||||F'
const ORC = (control: string, placer: string, filler = '', signer = '') =>
  `ORC|${control}|${placer}^EPIC|${filler && `${filler}^LAB`}|||||||||${signer}`
const OBR = (placer: string, filler: string, code = 'CMS485', signer = MARSH, day = '20260115') =>
  `OBR|1|${placer && `${placer}^EPIC`}|${filler && `${filler}^LAB`}|${code}^Document|||${day}|||||||||${signer}`

const become = (segments: readonly string[], more: MapFileInput = {}): Mapped =>
  mapHl7(Buffer.from(`${segments.join('\r')}\r`), readMapFile({ ...MAP, ...more }))

/** The fields that must come from one order. */
function facts(result: Mapped) {
  if (!result.ok) return result.held.join('; ')
  if (result.action === 'retract') return `retract ${[result.externalDocId, ...(result.aliases ?? [])].join(' ')}`
  const { document, performers } = bodyOf(result)
  const ids = [document.externalDocId, ...(result.aliases ?? [])].join(' ')
  return `${result.action} ${ids} ${performers[0]!.signer.userNPI} ${document.documentTypeId} ${document.effectiveDate}`
}

interface Case {
  name: string
  message: readonly string[]
  map?: MapFileInput
  right: string | RegExp
}

const check = (cases: readonly Case[]) => {
  for (const { name, message, map, right } of cases)
    it(`${name} is ${right instanceof RegExp ? 'held' : right.split(' ')[0]}`, () => {
      const became = facts(become(message, map))
      if (right instanceof RegExp) expect(heldBy(become(message, map)).join('; ')).to.match(right)
      else expect(became).to.equal(right)
    })
}

const MDM = (txa: Record<number, string>, more: readonly string[] = [FILE()], event = 'T02^MDM_T02') => {
  const fields = `TXA|1|CMS485^Plan|AP|20260115||||||${MARSH}||DOC-1^EPIC`.split('|')
  for (const [number, value] of Object.entries(txa)) {
    while (fields.length <= Number(number)) fields.push('')
    fields[Number(number)] = value
  }
  return [HEAD(`MDM^${event}`), PID, 'PV1|1|O|WARD^^^LAKE', fields.join('|'), ...more]
}
const ORU = (...segments: string[]) => [HEAD('ORU^R01'), PID, ...segments]

describe('An HL7 v2 message of a kind that was guessed at', () => {
  describe('with several orders', () => {
    check([
      {
        name: 'OML with TQ1 and SPM between an order and its PDF, in the second order',
        message: [
          HEAD('OML^O21'),
          PID,
          ...[
            ORC('NW', 'P-1', '', REED),
            'TQ1|1||QD',
            OBR('P-1', '', 'WOUND', REED, '20260110'),
            'SPM|1|S-1^EPIC',
            TEXT,
          ],
          ...[ORC('NW', 'P-2', '', MARSH), 'TQ1|1||QD', OBR('P-2', ''), 'NTE|1||Urgent', 'SPM|1|S-2^EPIC', FILE()],
        ],
        right: 'create EPIC|P-2 9999900019 101 2026-01-15',
      },
      {
        name: 'ORU whose PDF is followed by another OBR without ORC',
        message: ORU(
          ...[ORC('RE', 'P-1', 'F-1', MARSH), OBR('P-1', 'F-1'), FILE()],
          OBR('P-9', 'F-9', 'WOUND', REED, '20260101'),
        ),
        right: 'create LAB|F-1 EPIC|P-1 9999900019 101 2026-01-15',
      },
      {
        name: 'ORU whose PDF is under an OBR without ORC and without a signer',
        message: ORU(ORC('RE', 'P-1', 'F-1', MARSH), OBR('P-1', 'F-1'), TEXT, OBR('P-2', 'F-2', 'CMS485', ''), FILE()),
        right: /does not identify a signer/,
      },
      {
        name: 'ORM with its PDF in the notes of the second order',
        message: [
          HEAD('ORM^O01'),
          PID,
          ...[ORC('NW', 'P-1', '', REED), OBR('P-1', '', 'WOUND', REED, '20260110')],
          ...[ORC('NW', 'P-2', '', MARSH), OBR('P-2', ''), `NTE|1||${PDF}`],
        ],
        right: 'create EPIC|P-2 9999900019 101 2026-01-15',
      },
      {
        name: 'OML with two orders that are discontinued',
        message: [HEAD('OML^O21'), PID, ORC('DC', 'P-1'), OBR('P-1', ''), ORC('OC', 'P-2'), OBR('P-2', '')],
        right: /ORC\[1\], ORC\[2\]/,
      },
      {
        name: 'ORU with a PDF in each of two orders',
        message: ORU(OBR('P-1', 'F-1'), FILE(), OBR('P-2', 'F-2', 'WOUND', REED), FILE()),
        right: /OBR\[1\], OBR\[2\]/,
      },
      {
        name: 'ORU with a diagnosis, a note and a participation in the order without PDF',
        message: ORU(
          ...[OBR('P-1', 'F-1', 'CMS485', ''), 'DG1|1||I50.9^Heart failure^I10', `PRT|1|AD||OP|${REED}`, TEXT],
          ...[OBR('P-2', 'F-2', 'WOUND', ''), FILE()],
        ),
        right: /does not identify a signer/,
      },
      {
        name: 'ORU with a PDF before its first order',
        message: ORU(FILE(), OBR('P-1', 'F-1')),
        right: /outside of any order/,
      },
      {
        name: 'ORL, the answer to an order',
        message: [HEAD('ORL^O22'), 'MSA|AA|MSG0', PID, ORC('OK', 'P-1', 'F-1'), OBR('P-1', 'F-1'), FILE()],
        right: /MSH-9/,
      },
      {
        name: 'ORU whose order is in process, above a PDF that is final',
        message: ORU('ORC|RE|P-1^EPIC|F-1^LAB||HD', OBR('P-1', 'F-1'), FILE()),
        right: /ORC-5/,
      },
    ])
  })

  describe('with several people', () => {
    const twice = '1173^Marsh^Helen^^^^^^HUBA~1173^Marsh^Helen^^^^^^HUBB'
    check([
      {
        name: 'ORC-12 with one id of two authorities that are two people in the table',
        message: ORU(ORC('RE', 'P-1', 'F-1', twice), OBR('P-1', 'F-1', 'CMS485', ''), FILE()),
        map: { signers: { 'HUBA|1173': '9999900019', 'HUBB|1173': '9999900027' } },
        right: /ORC-12: names several signers/,
      },
      {
        name: 'ORC-12 with one id of two authorities, of which neither counts',
        message: ORU(ORC('RE', 'P-1', 'F-1', twice), OBR('P-1', 'F-1', 'CMS485', ''), FILE()),
        map: { signers: { 1173: '9999900019' }, signerAuthority: 'HUBC' },
        right: /ORC-12: holds an id of the table of signers, but of another authority/,
      },
      {
        name: 'two PRT of ordering providers who differ',
        message: ORU(OBR('P-1', 'F-1', 'CMS485', ''), `PRT|1|AD||OP|${MARSH}`, `PRT|2|AD||OP|${REED}`, FILE()),
        right: /PRT-5: names several signers/,
      },
      {
        name: 'two PRT of one ordering provider, and one of someone else who attends',
        message: ORU(
          OBR('P-1', 'F-1', 'CMS485', ''),
          ...[`PRT|1|AD||OP^Ordering^HL70912|${MARSH}`, `PRT|2|AD||AT|${REED}`, `PRT|3|AD||op|${MARSH}`, FILE()],
        ),
        right: 'create LAB|F-1 EPIC|P-1 9999900019 101 2026-01-15',
      },
      {
        name: 'an originator in TXA-9 who is not the authenticator in TXA-10',
        message: MDM({ 9: MARSH, 10: REED }),
        right: /TXA-10, TXA-9: names several signers/,
      },
      {
        name: 'OBR-16 without an id, of the name in ORC-12 in capitals',
        message: ORU(ORC('RE', 'P-1', 'F-1', MARSH), OBR('P-1', 'F-1', 'CMS485', '^MARSH^HELEN'), FILE()),
        right: 'create LAB|F-1 EPIC|P-1 9999900019 101 2026-01-15',
      },
      {
        name: 'OBR-16 without an id, of another name than ORC-12',
        message: ORU(ORC('RE', 'P-1', 'F-1', MARSH), OBR('P-1', 'F-1', 'CMS485', '^MARSH^HARRIET'), FILE()),
        right: /ORC-12, OBR-16: names several signers/,
      },
    ])
  })

  describe('of a real or another processing id', () => {
    const withId = (id: string) => MDM({}).map((segment) => segment.replace('|P|2.5.1', `|${id}|2.5.1`))
    const right = 'create EPIC|DOC-1 9999900019 101 2026-01-15'
    check([
      { name: 'T with a subcomponent', message: withId('T&x'), right: /MSH-11/ },
      { name: 'D^T', message: withId('D^T'), right: /MSH-11/ },
      { name: 'P^R, restored from an archive', message: withId('P^R'), right: /MSH-11.2/ },
      { name: 'P^I, an initial load', message: withId('P^i'), right: /MSH-11.2/ },
      { name: 'P^A, from an archive', message: withId('P^A'), right: /MSH-11.2/ },
      { name: 'P^T, current', message: withId('P^T'), right },
      { name: 'p', message: withId('p'), right },
      { name: 'none', message: withId(''), right: /MSH-11/ },
      { name: 'Production as a word', message: withId('PROD'), right: /MSH-11/ },
    ])
  })

  describe('about a document', () => {
    check([
      { name: 'legally authenticated, TXA-17 LA', message: MDM({ 17: 'LA' }), right: /TXA-17/ },
      {
        name: 'pre-authenticated, TXA-17 PA',
        message: MDM({ 17: 'pa' }),
        right: 'create EPIC|DOC-1 9999900019 101 2026-01-15',
      },
      { name: 'obsolete, TXA-19 OB, without a PDF', message: MDM({ 19: 'OB' }, []), right: 'retract EPIC|DOC-1' },
      {
        name: 'a T06 without a parent',
        message: MDM({}, [FILE()], 'T06'),
        right: 'create EPIC|DOC-1 9999900019 101 2026-01-15',
      },
      {
        name: 'a T10 whose parent is a placeholder',
        message: MDM({ 13: 'UNKNOWN^EPIC' }, [FILE()], 'T10'),
        right: /TXA-13/,
      },
      {
        name: 'a T10 whose parent was cut short',
        message: MDM({ 13: 'DOC-#^EPIC' }, [FILE()], 'T10').map((one) => one.replace('^~\\&', '^~\\&#')),
        right: /TXA-13/,
      },
      {
        name: 'a T10 whose parent has an OID',
        message: MDM({ 13: 'D-0^^2.16.1^ISO' }, [FILE()], 'T10'),
        right: 'replace EPIC|DOC-1 9999900019 101 2026-01-15',
      },
      {
        name: 'a T11 by TXA-12 with an OID',
        message: MDM({ 12: 'D-7^^2.16.1^ISO' }, [], 'T11'),
        right: 'retract &2.16.1&ISO|D-7',
      },
      {
        name: 'a T02 with two TXA',
        message: MDM({}, ['TXA|2|CMS485^Plan|AP|20260115||||||||DOC-2^EPIC', FILE()]),
        right: /TXA: several/,
      },
      {
        name: 'an id with an escaped bar',
        message: MDM({ 12: 'D\\F\\1^EPIC' }),
        right: 'create EPIC|D\\F\\1 9999900019 101 2026-01-15',
      },
      {
        name: 'a T02 whose PDF is hexadecimal',
        message: MDM({}, [`OBX|1|ED|PDF^Document||^application^pdf^Hex^${Buffer.from(PDF, 'base64').toString('hex')}`]),
        right: /OBX-5/,
      },
      {
        name: 'an empty observation that was deleted, before the PDF',
        message: MDM({}, ['OBX|1|ED|PDF^Document||""||||||D', FILE(2)]),
        right: 'create EPIC|DOC-1 9999900019 101 2026-01-15',
      },
    ])
  })

  it('names the document in the parent with its whole authority', () => {
    const result = become(MDM({ 13: 'D-0^^2.16.1^ISO' }, [FILE()], 'T10'))
    expect(result.ok && result.action !== 'retract' && result.replaces).to.deep.equal(['&2.16.1&ISO|D-0'])
  })

  describe('whose patient has no id of one record', () => {
    for (const id of [
      '99999999',
      'N/A',
      'null',
      '0',
      '-',
      'Not assigned',
      '""',
      'WC100098^^^WILLOW&2.16&ISO^PI~WC100099^^^WILLOW&2.16&ISO^PI',
      'WC1^^^WILLOW^MR^^20200101^20251231',
    ])
      it(`PID-3 ${id} is held`, () => {
        const cx = id.includes('^') || id === '""' ? id : `${id}^^^WILLOW^MR`
        const pid = PID.replace('WC100098^^^WILLOW^MR', cx)
        expect(heldBy(become(MDM({}).map((one) => (one === PID ? pid : one)))).join()).to.contain('PID-3')
      })
  })

  describe('in another character set than it says', () => {
    const bytes = (set: string, name: Buffer) => {
      const [before, after] = `${MDM({}).join('\r')}\r`.replace('|2.5.1', `|2.5.1||||||${set}`).split('Rowan')
      return Buffer.concat([Buffer.from(before!), name, Buffer.from(after!)])
    }
    const [utf8, latin1] = [Buffer.from('Müller'), Buffer.from('Müller', 'latin1')]
    const windows = Buffer.from('O\x92Hara', 'latin1')
    const map = readMapFile(MAP)
    for (const [set, name, right] of [
      ['8859/15', utf8, null],
      ['8859/9', utf8, null],
      ['UNICODE UTF-8', latin1, null],
      ['', latin1, null],
      ['ASCII', latin1, null],
      ['ASCII', utf8, null],
      ['UNICODE UTF-8', utf8, 'Müller'],
      ['', utf8, 'Müller'],
      ['8859/15', latin1, 'Müller'],
      ['8859/1', latin1, 'Müller'],
      ['8859/1~UNICODE UTF-8', utf8, null],
      ['ISO_8859-1', utf8, null],
      ['ISO IR 100', utf8, null],
      ['WINDOWS-1252', utf8, null],
      ['IBM850', utf8, null],
      ['GB 18030-2000', utf8, null],
      ['big5', utf8, null],
      ['8859/1', windows, null],
      ['8859/15', windows, null],
      ['WINDOWS-1252', windows, 'O’Hara'],
    ] as const)
      it(`${name === utf8 ? 'UTF-8' : name === latin1 ? 'Latin-1' : 'Windows-1252'} that says ${set || 'nothing'} is ${right === null ? 'held' : 'read'}`, () => {
        const result = mapHl7(bytes(set, name), map)
        if (right === null) expect(heldBy(result)).to.have.length.greaterThan(0)
        else expect(bodyOf(result).patient.names[0]?.family).to.equal(right)
      })

    it('is read in the set of the map, where it is in another one than it names', () => {
      const read = (set: string, name: Buffer, charset: string) =>
        mapHl7(bytes(set, name), readMapFile({ ...MAP, charset }))
      expect(bodyOf(read('8859/1', utf8, 'utf-8')).patient.names[0]?.family).to.equal('Müller')
      expect(bodyOf(read('8859/1', windows, 'windows-1252')).patient.names[0]?.family).to.equal('O’Hara')
      expect(bodyOf(read('8859/1', latin1, 'utf-8')).patient.names[0]?.family).to.equal('Müller')
      expect(heldBy(read('8859/1', windows, 'utf-8'))).to.have.length.greaterThan(0)
    })
  })
})
