/** A host with a rate limit makes flows slow, and lets none fail. */
import { expect } from 'chai'
import type { Row } from '../../nodes/shared/trial/row.ts'
import { aGateway, type Gateway } from '../support/network/a-gateway.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, host, read } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { ordersAtOnce } from '../support/node-red/under-fire/orders-at-once.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

const ORDERS = 40

describe('a host that limits calls', function () {
  this.timeout(120_000)

  it(`lets ${ORDERS} orders that come at once finish, each from create to record, without an error`, () =>
    ordersAtOnce(ORDERS))

  describe('and wants to be left alone for longer than the patience', () => {
    let red: NodeRed
    let service: HostedService
    let gateway: Gateway

    before(async () => {
      service = await hostedService()
      gateway = await aGateway(service.baseUrl)
      red = await aNodeRed()
    })
    after(async () => {
      await red?.stop()
      await gateway?.stop()
      await service?.stop()
    })

    it('fails calls under a code of their own, sends no further ones, and tells it to the test button', async () => {
      gateway.pace.waitMs = () => 3_600_000
      const connection = host(gateway.baseUrl, { credentials: { apiKey: service.apiKey }, patience: '1' })
      await red.deploy(flow(connection, ...createTask(), ...read()))
      red.inject('read', { taskId: 1001 })
      const { error, statusCode } = await red.next('caught')
      expect([error?.code, statusCode]).to.deep.equal(['RATE_LIMITED', 429])
      await red.statusOf('read', 'rate limited')
      gateway.pace.waitMs = () => 0
      red.inject('create', anOrder())
      expect((await red.next('caught')).error).to.include({ code: 'RATE_LIMITED' })
      expect(gateway.passed).to.deep.equal([])
      gateway.pace.waitMs = () => 3_600_000
      const test = await fetch(red.adminUrl('countersign/services/service/test'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ properties: connection, apiKey: service.apiKey }),
      })
      const [row] = (await test.json()) as Row[]
      expect(row).to.include({ what: 'health', ok: false })
      expect(row?.advice).to.match(/429/)
    })
  })
})
