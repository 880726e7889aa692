/** Thousands of crafted orders, each with another unusual number: none is sealed as something else than its signer saw. */
import { expect } from 'chai'
import { createPdfPool } from '../../server/pdf/workers/pool.ts'
import { craftedOrders, variantPdf } from '../support/crafted/crafted-orders.ts'
import { judge, type Outcome } from '../support/mutants/judge.ts'
import { randomFrom } from '../support/random.ts'
import { installed, installedViewers } from '../support/seen/external-checks.ts'
import { createPainters } from '../support/seen/pictures.ts'

const COUNT = Number(process.env.COUNT ?? 3_000)
const SEED = Number(process.env.SEED ?? 1)

it(`${COUNT} variants of crafted orders look alike everywhere once they are sealed (seed ${SEED})`, async () => {
  const pool = createPdfPool({ threads: 2 })
  const painters = createPainters(installed.pdftoppm, installedViewers)
  const random = randomFrom(SEED)
  const names = Object.keys(craftedOrders)
  const counts: Partial<Record<Outcome | 'drawn', number>> = {}
  const wrong: string[] = []
  const count = (what: Outcome | 'drawn') => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  try {
    for (let i = 0; i < COUNT; i++) {
      const name = names[i % names.length]!
      const { outcome, detail, isDrawn } = await judge(variantPdf(name, random), pool, painters)
      count(outcome)
      if (isDrawn) count('drawn')
      if (outcome !== 'refused' && outcome !== 'sealed as shown') wrong.push(`${i} ${name}: ${outcome}, ${detail}`)
    }
  } finally {
    await pool.close()
    await painters.close()
  }
  console.log(counts)
  expect(wrong).to.deep.equal([])
})
