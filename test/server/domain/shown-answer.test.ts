/** What is kept of a receiver's answer: words that servers say about requests, and nothing that could name a person. */
import { expect } from 'chai'
import { READ_BYTES, shownAnswer } from '../../../server/domain/delivery/shown-answer.ts'

const shown = (text: string) => shownAnswer(Buffer.from(text))

describe('What is shown of an answer', () => {
  for (const [answer, kept] of [
    ['{"error":"invalid signature"}', '{"error":"invalid signature"}'],
    [
      '<html><head><title>502 Bad Gateway</title></head></html>',
      '<html><head><title>502 Bad Gateway</title></head></html>',
    ],
    ['{"message":"No chart for Alma Whitfield"}', '{"message":"No … for …"}'],
    ['MRN 4711 of Müller, 12/03/1948, (218) 555-0101', '… of … (218) …'],
    ['{"patientId":"WC-77","birthDate":"1948-03-12"}', '{"…Id":"…"}'],
    ['patient@example.org', '…'],
    ['   \n ', null],
    ['', null],
  ] as const)
    it(`of ${JSON.stringify(answer)}`, () => {
      expect(shown(answer)).to.equal(kept)
    })

  it('has nothing of names, numbers, and other scripts, however they are written', () => {
    for (const name of ['Whitfield', 'WHITFIELD', 'whitfield', 'O’Brien', '山田', 'José', 'Smith-Jones', 'deWitt']) {
      const found = shown(`error: ${name} ${name.toUpperCase()} [${name}] "${name}" 19480312 9999900018`) ?? ''
      expect(found.replace('error', '')).not.to.match(/[A-Za-z0-9]{2}|[^\x20-\x7e…]/)
    }
  })

  it('is 500 characters of the answer at most, and never longer than that', () => {
    const long = shown('error '.repeat(10_000))!
    expect(long).to.match(/^error( error)+( e?r?r?o?r?…?)?$/)
    expect(long.length).to.be.at.most(500)
    expect(shownAnswer(Buffer.alloc(READ_BYTES * 3, 0xff))!.length).to.be.at.most(500)
  })
})
