import { expect } from 'chai'
import fc from 'fast-check'
import { type TableName, tableFromCsv } from '../../../lib/mapping/tables/table-from-csv.ts'
import { tableToCsv } from '../../../lib/mapping/tables/table-to-csv.ts'

const code = fc.string({ minLength: 1 }).filter((text) => text.trim() === text)
const id = fc.integer({ min: 1, max: 2_147_483_647 })
const npi = fc.stringMatching(/^\d{10}$/)
const tables: Record<TableName, fc.Arbitrary<object>> = {
  documentTypes: fc.dictionary(
    code,
    fc.record({ documentTypeId: id, templateId: id }, { requiredKeys: ['documentTypeId'], noNullPrototype: true }),
    { noNullPrototype: true },
  ),
  organizations: fc.dictionary(code, npi, { noNullPrototype: true }),
  signers: fc.dictionary(code, npi, { noNullPrototype: true }),
}

describe('A table as CSV', () => {
  for (const [name, table] of Object.entries(tables) as [TableName, fc.Arbitrary<object>][])
    it(`of ${name} is read again as it was`, () =>
      fc.assert(
        fc.property(table, (given) => {
          expect(tableFromCsv(name, tableToCsv(name, given as never))).to.deep.equal(given)
        }),
      ))

  it('encloses in quotation marks only what needs them', () => {
    const table = { 'a "b", c': { documentTypeId: 101, templateId: 7 }, '007': { documentTypeId: 102 } }
    expect(tableToCsv('documentTypes', table)).to.equal(
      'code,documentTypeId,templateId\r\n"a ""b"", c",101,7\r\n007,102,\r\n',
    )
  })
})
