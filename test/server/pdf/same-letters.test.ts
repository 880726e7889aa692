import { expect } from 'chai'
import { writeSpecimen } from '../../../lib/pdf/fonts/specimen.ts'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { inspectPdf } from '../../../lib/pdf/guard/source.ts'
import { readPlain } from '../../../lib/pdf/plain/plain-problem.ts'
import { drawsSameLetters } from '../../../server/pdf/compare/same-letters.ts'
import { fixture } from '../../support/fixtures.ts'
import { baseOf } from '../../support/mutants/base.ts'
import { fonts } from '../../support/mutants/fonts.ts'
import { randomFrom } from '../../support/random.ts'

const orders = ['producers/latex_t1', 'producers/lo_html__lin', 'orders/chromium-order']
/** Of the fonts that a seed makes contradict themselves, those that one viewer draws differently. */
const seeds: Record<string, readonly number[]> = {
  'producers/latex_t1': [9_000_010, 9_000_019],
  'producers/lo_html__lin': [9_000_014, 9_000_023],
  'orders/chromium-order': [9_000_018, 9_000_024],
}

async function hasSameLetters(pdf: Uint8Array): Promise<boolean> {
  const inspected = await inspectPdf(pdf, defaultLimits)
  if (!inspected.ok) throw new Error(inspected.problem)
  const reading = readPlain(inspected.doc)
  if (!reading.ok) return false
  return drawsSameLetters(await writeSpecimen(reading.fonts, inspected.doc))
}

describe('the letters of a document', () => {
  for (const name of orders) {
    const pdf = fixture(`pdf/${name}.pdf`)

    it(`are the same in both viewers: ${name}`, async () => {
      expect(await hasSameLetters(pdf)).to.equal(true)
    })

    it(`are told apart where its fonts contradict themselves: ${name}`, async () => {
      const base = baseOf(name, Buffer.from(pdf))
      for (const seed of seeds[name]!) expect(await hasSameLetters(fonts(base, randomFrom(seed)))).to.equal(false)
    })
  }

  it('do not depend on the documents that the viewer drew before', async () => {
    const good = fixture(`pdf/${orders[0]}.pdf`)
    const bad = fonts(baseOf('', Buffer.from(good)), randomFrom(seeds[orders[0]!]![0]!))
    const seen: boolean[] = []
    for (const pdf of [good, bad, good, bad]) seen.push(await hasSameLetters(pdf))
    expect(seen).to.deep.equal([true, false, true, false])
  })
})
