/** What could not be seen does not count as well: a second key that is refused, a clean-up that the host does not confirm. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import { cleanUp } from '../../../lib/conform/clean-up.ts'
import { conform } from '../../../lib/conform/conform.ts'
import type { PlainAnswer, Send } from '../../../lib/conform/exchange.ts'
import { createHost, type HostOptions } from '../../../lib/conform/host.ts'
import { isolation } from '../../../lib/conform/rules/isolation.ts'
import { createStage } from '../../../lib/conform/stage/stage.ts'
import { defaultProfile } from '../../../lib/profile/parse-profile.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'

function staged(options: Pick<HostOptions, 'keys' | 'send'>) {
  const host = createHost({ ...options, baseUrl: 'http://host.example', profile: defaultProfile })
  const surroundings = { receiver: null, clock: systemClock, newId: randomUUID, patienceMs: 0 }
  return { host, stage: createStage({ host, signerNpi: SIGNER.calder, ...surroundings }) }
}

describe('Without proof', () => {
  it('a second key that the host refuses shows nothing about isolation', async () => {
    const keys = { first: 'key', second: 'a-key-of-nobody' }
    const send: Send = async ({ headers }) => ({
      status: headers['x-api-key'] === keys.first ? 200 : 401,
      headers: new Headers(),
      body: [],
    })
    const { host, stage } = staged({ keys, send })
    const { findings } = await conform(host, stage, isolation)
    expect(new Set(findings.map(({ result, why }) => `${result}: ${why}`))).to.deep.equal(
      new Set(['not tried: the second key is refused (401)']),
    )
  })

  for (const [what, answers] of [
    ['fails at every call', (): PlainAnswer => ({ status: 500, headers: new Headers(), body: undefined })],
    [
      'gives no answer',
      (): PlainAnswer => {
        throw new Error('reset')
      },
    ],
  ] as const)
    it(`tasks and subscriptions of a host that ${what} are named as left over`, async () => {
      const { host, stage } = staged({ keys: { first: 'key' }, send: async () => answers() })
      host.made.taskIds.add(1001)
      host.made.subscriptionIds.set(7, 'first')
      expect(await cleanUp(host, stage)).to.deep.equal({ taskIds: [1001], subscriptionIds: [7] })
    })
})
