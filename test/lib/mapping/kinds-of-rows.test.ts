/** Rows and objects of an index as programs and spreadsheets write them: each is read as it is meant, or held. */
import { expect } from 'chai'
import type { MapFileInput } from '../../../lib/mapping/map-file.ts'
import { mapFiles } from '../../../lib/mapping/map-files.ts'
import { anIndex, asCsv, asJson } from '../../support/hl7/an-index.ts'
import { PDF } from '../../support/hl7/an-order.ts'
import { bodyOf } from '../../support/hl7/what-became.ts'

const MAP: MapFileInput = { documentTypes: { CMS485: { documentTypeId: 101 } } }
const CREATE = 'create ORDER-1 WILLOW|WC100098 2026-01-15 1952-06-07'

interface Case {
  index: string
  map?: MapFileInput
  right: string
}

/** JSON in which one value is written in another way. */
const json = (field: string, written: string): string => {
  const index = asJson(anIndex({ [field]: 'WRITTEN' })).toString()
  return index.replace('"WRITTEN"', written)
}
const csv = (changes: Record<string, unknown> = {}): string => asCsv(anIndex(changes))
const [HEAD = '', ROW = ''] = csv().split('\r\n')
const OTHER = csv({ documentId: 'ORDER-2' }).split('\r\n')[1]!
const US: MapFileInput = { dates: 'MDY' }

const JSON_CASES: Record<string, Case> = {
  'an id in the notation of a spreadsheet': { index: json('documentId', '1.23457E+11'), right: 'held documentId' },
  'an id with an exponent': { index: json('documentId', '123457e6'), right: 'held documentId' },
  'an id of a column of decimals': { index: json('documentId', '12345.0'), right: 'held documentId' },
  'a patient of a column of decimals': { index: json('patientId', '440011.0'), right: 'held patientId' },
  'the largest number that is kept': {
    index: json('patientId', '9007199254740991'),
    right: CREATE.replace('WC100098', '9007199254740991'),
  },
  'a number above 2^53': { index: json('patientId', '9007199254740992'), right: 'held patientId' },
  'a number above 2^53 in what is replaced': { index: json('replaces', '9007199254740993'), right: 'held replaces' },
  'an id of zero': { index: json('documentId', '-0'), right: 'held documentId' },
  'a signer as a number': { index: json('signer', '9999900019'), right: CREATE },
  'an organization of zeros': { index: json('organization', '"0000000000"'), right: 'held organization' },
  'a day as a number': { index: json('date', '20260115'), right: CREATE },
  'a postal code whose zero was lost': {
    index: json('postalCode', '2134').replace('"MN"', '"MA"'),
    right: 'held postalCode',
  },
  'a postal code whose zero was lost, with four digits more': {
    index: json('postalCode', '"2134-1234"').replace('"MN"', '"ma"'),
    right: 'held postalCode',
  },
  'an id over two lines': { index: json('documentId', '"ORDER-1\\nX"'), right: 'held documentId' },
  'an id with a tab': { index: json('patientId', '"WC\\t100098"'), right: 'held patientId' },
  'an id with a blank of no width': { index: json('documentId', '"ORDER\\u200b-1"'), right: 'held documentId' },
  'an id that is written from right to left': { index: json('patientId', '"\\u202eWC1"'), right: 'held patientId' },
  'a NUL in a street': { index: json('street', '"98 Birch\\u0000"'), right: 'held patient.addresses[0].line' },
  'an id between blanks': { index: json('documentId', '"\\u00a0ORDER-1\\t"'), right: CREATE },
  'two names that differ in case': {
    index: json('documentId', '"ORDER-1","DocumentID":"ORDER-2"'),
    right: 'held index',
  },
  'two objects': { index: `${asJson(anIndex())}\n${asJson(anIndex({ documentId: 'ORDER-2' }))}`, right: 'held index' },
  'a list of one': { index: `[${asJson(anIndex())}]`, right: 'held index' },
  'two byte order marks': { index: `\uFEFF\uFEFF${asJson(anIndex())}`, right: 'held index' },
  'a withdrawal of a rounded number': {
    index: '{"action":"retract","documentId":9007199254740993}',
    right: 'held documentId',
  },
  'a withdrawal in capitals': { index: '{"action":" RETRACT ","documentId":"ORDER-1"}', right: 'retract ORDER-1' },
  'a withdrawal that replaces': {
    index: '{"action":"retract","documentId":"ORDER-1","replaces":"ORDER-0"}',
    right: 'held replaces',
  },
  'an action that is not known': { index: json('action', '"cancel"'), right: 'held action' },
  'an action that is false': { index: json('action', 'false'), right: 'held action' },
  'an action that is null': { index: json('action', 'null'), right: CREATE },
  'a replacement of itself': {
    index: json('replaces', '"ORDER-1"'),
    right: `replace ORDER-1 by ${CREATE.replace('create ', '')}`,
  },
}

const CSV_CASES: Record<string, Case> = {
  'two rows of one document': { index: `${HEAD}\r\n${ROW}\r\n${ROW}`, right: 'held index' },
  'two rows of two documents': { index: `${HEAD}\r\n${ROW}\r\n${OTHER}`, right: 'held index' },
  'a row for each order of a group': {
    index: `${HEAD}\r\n${ROW}\r\n${csv({ diagnosis: '' }).split('\r\n')[1]!.replace('CMS485', 'WOUND')}`,
    right: 'held index',
  },
  'the names of the columns twice': { index: `${HEAD}\r\n${HEAD}\r\n${ROW}`, right: 'held index' },
  'rows without anything': { index: `${HEAD}\r\n\r\n${ROW}\r\n;;;;;;;;;;;;;;;\r\n`, right: CREATE },
  'columns without a name and a value': { index: `${HEAD};;\r\n${ROW};;`, right: CREATE },
  'a value in a column without a name': { index: `${HEAD};\r\n${ROW};"ORDER-9"`, right: 'held index' },
  'one column twice': { index: `${HEAD};"documentId"\r\n${ROW};"ORDER-1"`, right: 'held index' },
  'one column twice in other letters': { index: `${HEAD};"DocumentID"\r\n${ROW};"ORDER-2"`, right: 'held index' },
  'the separator on a line of its own': { index: `\uFEFFsep=;\r\n${HEAD}\r\n${ROW}`, right: CREATE },
  'a cell too many': { index: `${HEAD}\r\n${ROW};"X"`, right: 'held index' },
  'a row of one cell, as of another separator': {
    index: `${HEAD}\r\n${ROW.replaceAll('";"', '","')}`,
    right: 'held index',
  },
  'an id over two lines': { index: csv({ documentId: 'ORDER-1\r\nX' }), right: 'held documentId' },
  'a street over two lines': { index: csv({ street: '98 Birch Lane\r\nrear' }), right: CREATE },
  'a column whose name is over two lines': {
    index: csv().replace('"documentId"', '"document\nId"'),
    right: 'held documentId',
  },
  'a quotation mark that does not end': { index: csv().replace('"ORDER-1"', '"ORDER-1'), right: 'held index' },
  'a quotation mark within a cell': { index: csv({ family: 'Rowan "Tess"' }), right: CREATE },
  'a formula that keeps the zeros of an id': { index: csv({ documentId: '="000123"' }), right: 'held documentId' },
  'an id with an apostrophe before it': { index: csv({ documentId: "'000123" }), right: 'held documentId' },
  'a postal code whose zero was lost': { index: csv({ postalCode: '601', state: 'PR' }), right: 'held postalCode' },
  'a postal code of four digits elsewhere': { index: csv({ postalCode: '1015', state: 'VD' }), right: CREATE },
  'a US day': {
    index: csv({ date: '1/5/2026', birthDate: '06/07/1952' }),
    map: US,
    right: CREATE.replace('01-15', '01-05'),
  },
  'a US day where the map says nothing': { index: csv({ date: '1/5/2026' }), right: 'held date' },
  'a day before its month': { index: csv({ date: '13/1/2026' }), map: US, right: 'held date' },
  'a US day with a year of two digits': { index: csv({ birthDate: '6/7/52' }), map: US, right: 'held birthDate' },
  'a US day with a time': { index: csv({ date: '1/5/2026 12:00:00 AM' }), map: US, right: 'held date' },
  'a US day that does not exist': { index: csv({ date: '2/29/2026' }), map: US, right: 'held date' },
  'the number of a day in a spreadsheet': { index: csv({ birthDate: '19152' }), map: US, right: 'held birthDate' },
  'an id that is an error of a spreadsheet': { index: csv({ patientId: '#N/A' }), right: 'held patientId' },
  'a column of another name': {
    index: csv().replace('"documentId"', '"Order No."'),
    map: { columns: { documentId: 'Order No.' } },
    right: CREATE,
  },
  'a column of another name, and the usual one': {
    index: `${HEAD};"Order No."\r\n${ROW};"ORDER-7"`,
    map: { columns: { documentId: 'Order No.' } },
    right: CREATE.replace('ORDER-1', 'ORDER-7'),
  },
}

function became(kind: 'csv' | 'json', { index, map = {} }: Case): string {
  const result = mapFiles({ index: Buffer.from(index), kind, pdf: Buffer.from(PDF, 'base64') }, { ...MAP, ...map })
  if (!result.ok) return `held ${[...new Set(result.held.map((reason) => reason.split(':')[0]))].join(' ')}`
  if (result.action === 'retract') return `retract ${result.externalDocId}`
  const { document, patient } = bodyOf(result)
  const facts = [document.externalDocId, patient.externalId, document.effectiveDate, patient.birthDate].join(' ')
  return result.action === 'replace' ? `replace ${result.replaces?.join(' ')} by ${facts}` : `create ${facts}`
}

describe('An index in JSON', () => {
  for (const [name, one] of Object.entries(JSON_CASES))
    it(`with ${name}`, () => expect(became('json', one)).to.equal(one.right))
})

describe('An index in CSV', () => {
  for (const [name, one] of Object.entries(CSV_CASES))
    it(`with ${name}`, () => expect(became('csv', one)).to.equal(one.right))
})
