/** The profile of a host is learnt from exchanges with it. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import { openReceiver } from '../../../lib/conform/callback-receiver.ts'
import { cleanUp } from '../../../lib/conform/clean-up.ts'
import { sendPlainly } from '../../../lib/conform/exchange.ts'
import { createHost } from '../../../lib/conform/host.ts'
import { learn } from '../../../lib/conform/learn/learn.ts'
import { profileFrom } from '../../../lib/conform/learn/learnt.ts'
import { createStage } from '../../../lib/conform/stage/stage.ts'
import { unhurried } from '../../../lib/conform/unhurried.ts'
import { parseProfile } from '../../../lib/profile/parse-profile.ts'
import { acme, filteringProfile } from '../../support/conformance/filtering-profile.ts'
import { FOREIGN_KEY, foreignHost } from '../../support/foreign-host/foreign-host.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aService } from '../../support/service/a-service.ts'

async function learntOf(baseUrl: string, key: string, { name, basePath = '' }: { name?: string; basePath?: string }) {
  const receiver = await openReceiver({})
  const host = createHost({
    baseUrl,
    keys: { first: key },
    profile: parseProfile({ basePath }),
    send: unhurried(sendPlainly, systemClock),
  })
  const options = { host, receiver, clock: systemClock, newId: randomUUID, signerNpi: SIGNER.marsh, patienceMs: 20_000 }
  const stage = createStage(options)
  try {
    const learnt = await learn(host, stage, name)
    expect(await cleanUp(host, stage)).to.deep.equal({ taskIds: [], subscriptionIds: [] })
    return learnt
  } finally {
    await receiver.stop()
  }
}

describe('Learning a profile', function () {
  this.timeout(120_000)

  it('finds that of a host that is not ours, but for what cannot be seen from outside', async () => {
    const host = await foreignHost()
    for (let task = 0; task < 30; task++) host.records.create({ document: { attachment: 'JVBERi0x', annotations: {} } })
    for (const task of host.records.tasks.values()) task.status = 'Completed'
    const inbox = setInterval(() => {
      for (const { taskId, status } of host.records.tasks.values())
        if (status === 'Received') void host.presents(taskId)
    }, 20)
    try {
      const learnt = await learntOf(host.baseUrl, FOREIGN_KEY, { name: 'Acme', basePath: '/partner' })
      const { limits, webhook, ...others } = parseProfile(profileFrom(learnt))
      const { limits: _, webhook: ofAcme, ...right } = acme
      expect(others).to.deep.equal(right)
      // The receiver chooses its tolerance; this host has no limits, although its profile names some.
      expect({ ...webhook, toleranceSeconds: 120 }).to.deep.equal(ofAcme)
      expect(limits).to.deep.equal(parseProfile({}).limits)
      expect(learnt.find(({ path }) => path === 'tokenPrefix')?.how).to.equal('guessed')
    } finally {
      clearInterval(inbox)
      await host.stop()
    }
  })

  it('finds all but the tolerance and the largest document of our service as another host', async () => {
    const service = await aService({
      profile: { ...filteringProfile, list: { ...filteringProfile.list, paging: 'none' } },
    })
    try {
      const learnt = await learntOf(service.baseUrl, service.key, { name: 'Acme', basePath: '/partner' })
      const profile = parseProfile(profileFrom(learnt))
      expect(profile.limits).to.deep.equal({ ...acme.limits, attachmentBytes: 26_214_400 })
      expect(profile.headerPrefix).to.equal(acme.headerPrefix)
      expect(profile.list).to.deep.equal({ ...filteringProfile.list, paging: 'link' })
      expect(learnt.find(({ path }) => path === 'tokenPrefix')).to.include({ value: 'ACME', how: 'seen' })
    } finally {
      await service.stop()
    }
  })

  it('finds nothing that differs in our own service', async () => {
    const service = await aService()
    try {
      const learnt = await learntOf(service.baseUrl, service.key, {})
      expect(parseProfile(profileFrom(learnt))).to.deep.equal(parseProfile({}))
      expect(learnt.filter(({ how }) => how === 'default').map(({ path }) => path)).to.deep.equal([
        'limits.attachmentBytes',
        'webhook.toleranceSeconds',
      ])
    } finally {
      await service.stop()
    }
  })
})
