/** What a search finds: names however they are typed, dates however they are written. */
import { expect } from 'chai'
import { type Searched, searchFor } from '../../lib/search.ts'

const document: Searched = {
  patient: { name: 'Łukasz O’Connell-Núñez', birthDate: '1931-05-14', mrn: 'WC-100 017' },
  documentType: 'Physician Order (verbal)',
  taskId: 4711,
  externalDocId: 'EHR|DOC-000123',
  clinicalDate: '2026-11-02',
  sender: 'Willow Creek Home Health',
  reason: 'Not my patient',
}

describe('a search', () => {
  const finds = (search: string) => searchFor(search)(document)

  for (const search of [
    ...['lukasz', 'ŁUKASZ', 'łukasz', 'nunez', 'Núñez', 'Nun\u0303ez', 'connell'],
    ...["o'connell", 'o’connell', 'oʼconnell', 'o`connell', 'oconnell', "O'CONNELL-NUNEZ", 'connell nunez'],
    ...['05/14/1931', '5/14/1931', '05/14/31', '05-14-1931', '1931-05-14', '14.05.1931', '14.5.1931', '14/05/1931'],
    ...['May 14, 1931', '14 may 1931', '05141931', '19310514', '1931', '05/14', '11/2/2026'],
    ...['WC-100 017', 'wc100017', 'wc-100017', '100017', 'willow health', 'verbal', 'lukasz 1931 order', 'my patient'],
    ...['4711', 'EHR|DOC-000123', 'doc-000123', 'DOC000123', 'lukasz 000123'],
    ...['', '  '],
  ])
    it(`for ${JSON.stringify(search)} finds the document`, () => {
      expect(finds(search)).to.equal(true)
    })

  for (const search of [
    'lukas1',
    '05/15/1931',
    '14.05.1932',
    'lukasz marsh',
    '02/11/2026',
    'wc100018',
    '4712',
    'doc-000124',
  ])
    it(`for ${JSON.stringify(search)} does not`, () => {
      expect(finds(search)).to.equal(false)
    })
})
