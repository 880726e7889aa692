/** A sample of the broken rules that `npm run test:long` tries, another one each day. `SEED=…` repeats a run. */
import { breaks } from '../../support/conformance/breaks.ts'
import { eachIsFound } from '../../support/conformance/each-is-found.ts'
import { randomFrom } from '../../support/random.ts'

const DAY_MS = 86_400_000
const seed = Number(process.env.SEED ?? Math.floor(Date.now() / DAY_MS))

describe(`A host that breaks a rule (SEED=${seed})`, function () {
  this.timeout(120_000)
  eachIsFound(randomFrom(seed).some(breaks, 9))
})
