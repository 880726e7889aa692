/** Callbacks go straight to the address that was checked, past any proxies that the environment names. */
import { expect } from 'chai'
import { answers, aRoughReceiver } from '../support/network/rough-receiver.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aClient } from '../support/service/a-client.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { serve } from '../support/service/served.ts'

describe('a service whose environment names a proxy', () => {
  it('calls receivers directly, because a proxy would dial addresses that nobody has checked', async () => {
    const proxy = await aRoughReceiver({ behave: answers(200) })
    const receiver = await TestReceiver.start()
    const named = Object.fromEntries(
      ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'].map((name) => [
        name,
        new URL(proxy.url).origin,
      ]),
    )
    const environment = { ...named, NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' }
    const served = await serve(
      ['--data', ':memory:', '--sandbox', '--seed', 'demo', '--allow-http-webhooks'],
      environment,
    )
    try {
      const client = aClient({ baseUrl: served.baseUrl, apiKey: served.apiKeys[0]!.key })
      const { secret } = await client.createSubscription({ body: { url: receiver.url } })
      receiver.secrets.push(secret)
      const body = aCreateBody({ performer: { signer: { userNPI: SIGNER.unknown } } })
      const { taskId } = await client.createTask({ body })
      await receiver.until(({ event }) => event?.taskId === taskId && event.status === 'Failed')
      expect(proxy.connections.count).to.equal(0)
    } finally {
      await served.stop()
      await receiver.stop()
      await proxy.close()
    }
  })
})
