import { expect } from 'chai'
import { findSignatures } from '../../../lib/pdf/seal/find-signatures.ts'
import { byteRange, isInSealForm } from '../../../lib/pdf/seal/seal-form.ts'
import { aSealKey } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { sealedWith } from '../../support/sealed/sample.ts'
import { signedByOthers } from '../../support/sealed/signed-by-others.ts'

const placeIn = (pdf: Buffer) => {
  const found = findSignatures(pdf)
  if (!found.ok) throw new Error(found.problem)
  return found.signatures.at(-1)!
}

describe('the form of our seal', () => {
  let pdf: Buffer
  before(async () => {
    pdf = await sealedWith(await aPdf({}), await aSealKey())
  })

  it('is what we write, with and without the right to certify', async () => {
    expect(isInSealForm(pdf, placeIn(pdf))).to.equal(true)
    const second = await sealedWith(await signedByOthers(await aPdf({})), await aSealKey())
    expect(isInSealForm(second, placeIn(second))).to.equal(true)
    expect(second.toString('latin1')).not.to.contain('/DocMDP')
  })

  it('has one place: with another object, gap or end it is not our form', () => {
    const place = placeIn(pdf)
    const others = [
      { objectNumber: place.objectNumber! + 1 },
      { objectNumber: null },
      { gapStart: place.gapStart - 1 },
      { gapStart: place.gapStart + 1 },
      { gapEnd: place.gapEnd - 2 },
      { gapEnd: place.gapEnd + 1 },
      { end: place.end - 1 },
      { gapStart: 10, gapEnd: 10 + place.gapEnd - place.gapStart },
    ]
    for (const other of others) expect(isInSealForm(pdf, { ...place, ...other }), JSON.stringify(other)).to.equal(false)
  })

  it('is followed by the cross-reference that the last lines name, and by nothing else', () => {
    const place = placeIn(pdf)
    const moved = Buffer.concat([pdf.subarray(0, place.gapEnd), Buffer.from('\n'), pdf.subarray(place.gapEnd)])
    expect(isInSealForm(moved, { ...place, end: moved.length })).to.equal(false)
    const renamed = Buffer.from(pdf)
    renamed.write('X', pdf.lastIndexOf('\nxref\n') + 1)
    expect(isInSealForm(renamed, place)).to.equal(false)
    const elsewhere = Buffer.from(pdf)
    elsewhere[pdf.lastIndexOf('\n%%EOF') - 1]! ^= 1
    expect(isInSealForm(elsewhere, place)).to.equal(false)
  })

  it('has room for every offset of a file', () => {
    expect(byteRange({ gapStart: 1, gapEnd: 9, end: 20 })).to.match(/^\[0 1 9 11\] +$/)
    expect(() => byteRange({ gapStart: 1e13, gapEnd: 2e13, end: 3e13 })).to.throw('needs more room')
  })
})
