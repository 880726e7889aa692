/** `npm run test:long`: bodies of creates, valid, broken, and anything at all. FC_SEED chooses them. */
import { generatedBodiesAreJudged } from '../support/generated-bodies/judged.ts'

describe('Errors › many generated bodies', () =>
  generatedBodiesAreJudged({ valid: 2000, broken: 6000, anything: 1200 }))
