/** Two hundred orders at a host that limits calls; every run of the tests has forty. */
import { ordersAtOnce } from '../../support/node-red/under-fire/orders-at-once.ts'

describe('a host that limits calls', function () {
  this.timeout(600_000)

  it('lets 200 orders that come at once finish, each from create to record, without an error', () => ordersAtOnce(200))
})
