/** Every status code of HL7 v2: what becomes of a document with it, and the reason that a person reads. */
import { expect } from 'chai'
import { statusTables } from '../../../lib/mapping/hl7/statuses.ts'
import { mdm, oru, type Segments } from '../../support/hl7/an-order.ts'
import { mapped } from '../../support/hl7/mapped-order.ts'
import { heldBy } from '../../support/hl7/what-became.ts'

const bases: Readonly<Record<string, Segments>> = {
  ORC: { ...oru, ORC: 'ORC||P-77^EPIC|F-88^LAB' },
  OBR: oru,
  OBX: oru,
  TXA: mdm,
}

/** A message with a code in a field such as `ORC-1`. */
function withCode(place: string, code: string, more: Segments = {}) {
  const [name = '', field = ''] = place.split('-')
  const base = bases[name]!
  const fields = String(base[name]).split('|')
  while (fields.length <= Number(field)) fields.push('')
  return mapped({ ...more, [name]: fields.with(Number(field), code).join('|') }, {}, base)
}

/** What becomes of it: the action, or the reasons. */
const became = (...given: Parameters<typeof withCode>) => {
  const result = withCode(...given)
  return result.ok ? result.action : heldBy(result)
}

const ACTIONS: Readonly<Record<string, string>> = { send: 'create', replace: 'replace', retract: 'retract' }

describe('A status code of HL7 v2', () => {
  for (const [place, { table, codes }] of Object.entries(statusTables)) {
    it(`in ${place} decides, also in lower case or with blanks around it`, () => {
      for (const [code, verdict] of Object.entries(codes)) {
        const reason = `${place}: the code ${JSON.stringify(code)} of table ${table} is not that of a document to be signed`
        expect(became(place, code), `${place} ${code}`).to.deep.equal(ACTIONS[verdict] ?? [reason])
        expect(became(place, ` ${code} `), `${place} ${code}`).to.deep.equal(ACTIONS[verdict] ?? [reason])
        const isMapped = ACTIONS[verdict] !== undefined
        expect(withCode(place, code.toLowerCase()).ok, `${place} ${code.toLowerCase()}`).to.equal(isMapped)
      }
    })

    it(`in ${place} that the table lacks holds the message, and is repeated only when it is as short as a code`, () => {
      const reason = (named: string) => [`${place}: holds ${named}, which is not in table ${table} as it is read`]
      expect(became(place, 'QQ')).to.deep.equal(reason('the code "QQ"'))
      expect(became(place, 'constructor')).to.deep.equal(reason('a code'))
      for (const text of ['Q Rowan', 'Rowan Q', 'Rowan, Q', 'QQQQQQQ'])
        expect(became(place, text)).to.deep.equal(reason('a code'))
    })

    it(`in ${place} that is empty or deleted says nothing`, () => {
      for (const nothing of ['', '""', ' ']) expect(became(place, nothing)).to.equal('create')
    })
  }

  it('that ends a document counts whatever the others are; one that holds it counts before those that send it', () => {
    const OBX = (code: string) => `${oru.OBX}||||||${code}`
    expect(became('OBR-25', 'P', { OBX: OBX('W') })).to.equal('retract')
    expect(became('OBR-25', 'F', { OBX: OBX('D') })).to.equal('retract')
    expect(became('OBR-25', 'C', { OBX: OBX('P') })).to.have.length(1)
    expect(became('OBR-25', 'F', { OBX: OBX('C') })).to.equal('replace')
    expect(became('OBR-25', 'P', { OBX: OBX('N') })).to.have.length(2)
  })
})
