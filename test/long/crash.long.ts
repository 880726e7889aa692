/** `npm run test:long`: a service killed in twenty rounds. */
import { killedAgainAndAgain } from '../support/outages/killed-service.ts'

const ROUNDS = 20

describe('a service that is killed again and again', () => {
  it(`loses nothing it acknowledged in ${ROUNDS} rounds, and invents nothing`, () => killedAgainAndAgain(ROUNDS))
})
