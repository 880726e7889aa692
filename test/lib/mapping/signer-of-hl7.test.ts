/** Who signs a document in HL7 v2: which ids count, and who is one person. */
import { expect } from 'chai'
import { type MapFileInput, readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import { anOrder, mdm } from '../../support/hl7/an-order.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

const MARSH = '9999900019^Marsh^Helen^^^^^^NPI^L^^^NPI'
const REED = '9999900027^Reed^Omar^^^^^^NPI^L^^^NPI'

function became(fields: Readonly<Record<number, string>>, map: MapFileInput = {}) {
  const parts = String(mdm.TXA).split('|')
  for (const number of [5, 9, 10]) parts[number] = fields[number] ?? ''
  return mapHl7(
    anOrder({ TXA: parts.join('|') }),
    readMapFile({ documentTypes: { CMS485: { documentTypeId: 101 } }, ...map }),
  )
}
const npi = (...given: Parameters<typeof became>) => bodyOf(became(...given)).performers[0]?.signer.userNPI
const held = (...given: Parameters<typeof became>) => heldBy(became(...given)).join('; ')

describe('The signer of a document in HL7 v2', () => {
  const table = { signers: { 1173: '9999900027' } }

  it('has a local id of a type that an employer assigns, and of no other type', () => {
    for (const type of ['', 'EI', 'EN', 'DN', 'PRN', 'PN', 'RI', 'ei'])
      expect(npi({ 10: `1173^Reed^Omar^^^^^^LAKE^L^^^${type}` }, table), type).to.equal('9999900027')
    for (const type of ['SL', 'MD', 'DEA', 'TAX', 'SS', 'UPIN', 'NPI', 'XX'])
      expect(held({ 10: `1173^Reed^Omar^^^^^^LAKE^L^^^${type}` }, table), type).to.contain('TXA-10')
  })

  it('has an NPI of ten digits that a label names, also where only listed ids count', () => {
    const listed = { signerIds: 'listed' } as const
    for (const xcn of [
      '9999900019^^^^^^^^NPI',
      '9999900019^^^^^^^^^^^^NPI',
      '9999900019^^^^^^^^&2.16.840.1.113883.4.6&ISO',
    ])
      expect(npi({ 10: xcn }, listed), xcn).to.equal('9999900019')
    for (const xcn of ['19999900019^^^^^^^^^^^^NPI', '99999000190^^^^^^^^^^^^NPI', '999990001^^^^^^^^^^^^NPI'])
      expect(held({ 10: xcn }), xcn).to.contain('TXA-10: is not an NPI')
  })

  it('has ten digits without a label only with the check digit, and where the map takes any', () => {
    expect(npi({ 10: '9999900019^Marsh^Helen' })).to.equal('9999900019')
    expect(held({ 10: '9999900010^Marsh^Helen' })).to.contain('TXA-10: is not an NPI')
    expect(held({ 10: '9999900019^Marsh^Helen' }, { signerIds: 'listed' })).to.contain('TXA-10: is not an NPI')
  })

  it('is one person in all fields: by NPI, or by family and given name', () => {
    expect(npi({ 9: MARSH, 10: MARSH })).to.equal('9999900019')
    expect(npi({ 9: '^MARSH^Helen', 10: MARSH })).to.equal('9999900019')
    expect(npi({ 9: '77^Marsh^Helen^^^^^^LAKE', 10: MARSH })).to.equal('9999900019')
    for (const other of [REED, '^Marsh^Harriet', '^Reed^Helen', '^Marsh', '^^Helen', '77', '77^^', '^^^Jo'])
      expect(held({ 9: other, 10: MARSH }), other).to.equal(
        'TXA-10, TXA-9: names several signers, and a document has one',
      )
    // Two people without names are not one because both have none.
    expect(held({ 9: '77', 10: '9999900019^^^^^^^^^^^^NPI' })).to.contain('names several signers')
  })

  it('is not an empty repetition, or one that deletes', () => {
    for (const field of [`~${MARSH}`, `""~${MARSH}`, ` ~${MARSH}~ ""^""`])
      expect(npi({ 10: field }), field).to.equal('9999900019')
    for (const field of ['', '""', ' ~""', '^^'])
      expect(held({ 10: field }), field).to.equal('TXA-10, TXA-9, TXA-5: does not identify a signer')
  })

  it('is the originator only where no other is named, and no other person then', () => {
    expect(npi({ 5: REED, 10: MARSH })).to.equal('9999900019')
    expect(npi({ 5: REED })).to.equal('9999900027')
    expect(held({ 5: `${REED}~${MARSH}` })).to.contain('TXA-5: names several signers')
  })

  it('is of the first field that the map names and that is filled', () => {
    const fields = { 'performers[0].signer.userNPI': ['TXA-5', 'TXA-10'] }
    expect(npi({ 5: REED, 10: MARSH }, { fields })).to.equal('9999900027')
    expect(npi({ 9: REED, 10: MARSH }, { fields })).to.equal('9999900019')
  })

  it('says that an id is in the table for another authority, where one of several is', () => {
    const other = '1173^Reed^Omar^^^^^^HUBB'
    expect(held({ 10: other }, table)).to.contain('TXA-10: holds an id of the table of signers')
    expect(held({ 9: '88^Reed^Omar^^^^^^HUBB', 10: other }, table)).to.contain('holds an id of the table of signers')
    expect(held({ 10: '88^Reed^Omar^^^^^^HUBB' }, table)).to.contain('TXA-10: is not an NPI, and is not in signers')
  })
})
