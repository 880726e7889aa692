/** A sample; `npm run test:long` judges more. */
import { generatedBodiesAreJudged } from '../support/generated-bodies/judged.ts'

describe('Errors › generated bodies', function () {
  this.timeout(90_000)
  generatedBodiesAreJudged({ valid: 100, broken: 400, anything: 100 })
})
