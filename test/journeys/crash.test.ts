/** A service killed in five rounds, of the twenty of `npm run test:long`. */
import { killedAgainAndAgain } from '../support/outages/killed-service.ts'

const ROUNDS = 5

describe('a service that is killed again and again', function () {
  this.timeout(180_000)

  it(`loses nothing it acknowledged in ${ROUNDS} rounds, and invents nothing`, () => killedAgainAndAgain(ROUNDS))
})
