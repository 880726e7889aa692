import { expect } from 'chai'
import { type TableName, tableFromCsv } from '../../../lib/mapping/tables/table-from-csv.ts'
import { SettingsError } from '../../../lib/settings.ts'

describe('A table from CSV', () => {
  const read: [trap: string, name: TableName, text: string, table: object][] = [
    [
      'of document types',
      'documentTypes',
      'code,documentTypeId,templateId\nCMS485,101,7\nF2F,102,\n',
      { CMS485: { documentTypeId: 101, templateId: 7 }, F2F: { documentTypeId: 102 } },
    ],
    [
      'without the column that may be left out',
      'documentTypes',
      'code,documentTypeId\nA,1',
      { A: { documentTypeId: 1 } },
    ],
    [
      'of a spreadsheet where the comma stands before decimals',
      'organizations',
      '\ufefffacility;orgNPI\r\nLAKE;9999901017\r\n;\r\n',
      { LAKE: '9999901017' },
    ],
    ['with tabs, and columns in another order', 'signers', 'USERNPI\tID\n9999900019\td1\n', { d1: '9999900019' }],
    [
      'with separators, lines and quotation marks in a cell',
      'signers',
      'id,userNPI\n"a ""b"",\nc", 9999900019 \n',
      { 'a "b",\nc': '9999900019' },
    ],
    ['with leading zeros', 'signers', 'id,userNPI\n007,9999900019\n', { '007': '9999900019' }],
    ['with nothing but its header', 'signers', 'id,userNPI', {}],
  ]
  for (const [trap, name, text, table] of read)
    it(`is read ${trap}`, () => expect(tableFromCsv(name, text)).to.deep.equal(table))

  it('keeps a code that objects have a meaning for', () =>
    expect(Object.keys(tableFromCsv('signers', 'id,userNPI\n__proto__,9999900019'))).to.deep.equal(['__proto__']))

  const ID = 'a whole number from 1 to 2147483647'
  const refused: [fault: string, name: TableName, text: string, errors: string[]][] = [
    [
      'rows, all at once',
      'documentTypes',
      'code,documentTypeId\nA,Rowan\n\nB,1\nB,2\nC,1,2\n,3\n',
      [
        `line 2, documentTypeId: ${ID}`,
        'line 6: no more cells than the header has',
        'line 7, code: required; text',
        'line 5: another code than line 4 has',
      ],
    ],
    [
      'an NPI that a spreadsheet took for a number',
      'signers',
      'id,userNPI\nd1,9.9999E+09',
      ['line 2, userNPI: exactly 10 digits'],
    ],
    ['an unknown column', 'signers', '\nid,npi\n', ['line 2: a header with the columns id, userNPI']],
    ['a column twice', 'signers', 'id,userNPI,id\n', ['line 1: a header with the columns id, userNPI']],
    [
      'an empty file',
      'documentTypes',
      '',
      ['line 1: a header with the columns code, documentTypeId, templateId (optional)'],
    ],
    [
      'a quotation mark that is not closed',
      'signers',
      'id,userNPI\n"d1,9999900019',
      ['line 2: quotation marks around whole cells only'],
    ],
  ]
  for (const [fault, name, text, errors] of refused)
    it(`is refused for ${fault}`, () =>
      expect(() => tableFromCsv(name, text))
        .to.throw(SettingsError)
        .with.property('errors')
        .that.deep.equals(errors))
})
