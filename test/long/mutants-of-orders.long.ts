/** `npm run test:long`: two thousand mutants of orders. MUTANTS and SEED change how many, and which. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { tallyMutants } from '../support/mutants/tally.ts'

const count = Number(process.env.MUTANTS ?? 2000)
const seed = Number(process.env.SEED ?? 11)

describe(`${count} mutants of orders, seed ${seed}`, () => {
  it('are refused, or sealed as shown', async () => {
    let folder: string | null = null
    const { counts, wrong } = await tallyMutants(seed, count, (name, pdf) => {
      folder ??= mkdtempSync(path.join(tmpdir(), 'countersign-mutants-'))
      writeFileSync(path.join(folder, `${name.replace(/\W+/g, '-')}.pdf`), pdf)
    })
    console.table(counts)
    expect(wrong, `kept in ${folder}`).to.deep.equal([])
  })
})
