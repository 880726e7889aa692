/** The names of files for signed PDFs: with any ids, a name stays in its folder, is seen there, and is no other id's. */
import { expect } from 'chai'
import fc from 'fast-check'
import { fileName } from '../../nodes/shared/document/file-name.ts'

const name = (pattern: string, externalDocId = 'ORDER-7') => fileName(pattern, { taskId: 7, externalDocId })

describe('the name of a signed file', () => {
  it('is filled from the task, and keeps what it does not know', () => {
    expect(name('{taskId} {externalDocId}.pdf')).to.equal('7 ORDER-7.pdf')
    expect(name('{taskID}.pdf')).to.equal('_taskID_.pdf')
    expect(name('a/b:{constructor}')).to.equal('a_b__constructor_')
  })

  it('leads nowhere else, and hides nothing', () => {
    expect(name('{externalDocId}.pdf', '../../etc/passwd')).to.equal('%2E.%2F..%2Fetc%2Fpasswd.pdf')
    expect(name('..')).to.equal('%2E%2E')
    expect(name('.{taskId}')).to.equal('%2E7')
    expect(name('{externalDocId}', 'C:\\orders|a"b')).to.equal('C%3A%5Corders%7Ca%22b')
  })

  it('differs for different ids', () => {
    const ids = ['a/b', 'a|b', 'a:b', 'a\nb', 'a_b', 'a%2Fb', 'a\\b', 'a\u200bb', 'a~b', 'a b']
    expect(new Set(ids.map((id) => name('{externalDocId}.pdf', id))).size).to.equal(ids.length)
    const id = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'./%~a_ ') }),
    )
    fc.assert(
      fc.property(id, id, (a, b) => {
        fc.pre(a !== b && a !== '' && b !== '')
        expect(name('{externalDocId}', a)).not.to.equal(name('{externalDocId}', b))
      }),
      { numRuns: 5_000 },
    )
  })

  it('differs for ids that are too long and differ only after the cut', () => {
    const [a, b] = ['a', 'b'].map((end) => name('{externalDocId}.pdf', 'x'.repeat(300) + end))
    expect(a)
      .to.match(/^x+~[0-9a-f]{16}\.pdf$/)
      .and.not.to.equal(b)
  })

  it('keeps the letters of every language, is never empty and never too long', () => {
    expect(name('{externalDocId}.pdf', 'Núñez (2)')).to.equal('Núñez (2).pdf')
    expect(name('{externalDocId}.pdf', 'हिन्दी')).to.equal('हिन्दी.pdf')
    expect(name('{externalDocId}', '')).to.equal('signed.pdf')
    expect(name('{externalDocId}', 'x'.repeat(300))).to.have.length(200)
    expect(Buffer.byteLength(name('{externalDocId}.pdf', '署'.repeat(300)))).to.be.within(190, 200)
  })

  it('is not a device, and ends in nothing that Windows drops', () => {
    const devices = { CON: '%43ON', 'nul.pdf': '%6Eul.pdf', com1: '%63om1', 'LPT9 .txt': '%4CPT9 .txt' }
    for (const [id, made] of Object.entries(devices)) expect(name('{externalDocId}', id)).to.equal(made)
    expect(name('{externalDocId}.pdf', 'CONSENT')).to.equal('CONSENT.pdf')
    expect([name('{externalDocId}', 'a.'), name('{externalDocId}', 'a ')]).to.deep.equal(['a%2E', 'a%20'])
  })
})
