/** Faults that a sender plans for itself: of its requests, met by the real client, and of its callbacks, met by a real receiver. */
import { expect } from 'chai'
import { RefusedError, UnreachableError } from '../../../lib/client/errors.ts'
import { createOnce } from '../../../lib/client/once/create-once.ts'
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import type { WebhookVerificationError } from '../../../lib/webhook/verification-error.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

describe('a planned fault', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())
  beforeEach(() => service.ask('DELETE', '/sandbox/v1/faults'))

  const plan = async (body: object) => {
    const { status, body: planned } = await service.ask<{ id: number }>('POST', '/sandbox/v1/faults', { body })
    expect(status).to.equal(201)
    return planned
  }
  const failureOf = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (failure: unknown) => failure as UnreachableError & RefusedError,
    )
  const types = () => service.client.listDocumentTypes()

  describe('of a request', () => {
    it('refuses with a status and a time to wait, as often as asked', async () => {
      await plan({
        on: 'request',
        operation: 'listDocumentTypes',
        fault: 'refuse',
        status: 429,
        retryAfterSeconds: 7,
        times: 2,
      })
      for (let i = 0; i < 2; i++) {
        const failure = await failureOf(types())
        expect(failure).to.be.instanceOf(RefusedError).and.to.include({ status: 429, retryAfterSeconds: 7 })
      }
      expect(await types()).to.be.an('array')
    })

    it('resets the connection', async () => {
      await plan({ on: 'request', fault: 'reset', times: 1 })
      // A read would be repeated.
      expect(await failureOf(service.client.deleteSubscription({ params: { id: 1 } })))
        .to.be.instanceOf(UnreachableError)
        .and.to.include({ code: 'ECONNRESET' })
      expect(await types()).to.be.an('array')
    })

    it('is late', async () => {
      await plan({ on: 'request', fault: 'delay', delaySeconds: 1, times: 1 })
      await types()
      const { body } = await service.ask<{ requests: { fault: string | null; status: number | null }[] }>(
        'GET',
        '/sandbox/v1/requests?operation=listDocumentTypes',
      )
      expect(body.requests.at(-1)).to.include({ fault: 'delay', status: 200 })
    })

    it('cuts the answer in the middle', async () => {
      await plan({ on: 'request', fault: 'cut-answer', times: 1 })
      expect(await failureOf(types())).to.be.instanceOf(UnreachableError)
    })

    it('loses an answer that has no body to be cut', async () => {
      const { id } = await service.client.createSubscription({ body: { url: 'https://receiver.example/' } })
      await plan({ on: 'request', operation: 'deleteSubscription', fault: 'cut-answer', times: 1 })
      const failure = await failureOf(service.client.deleteSubscription({ params: { id } }))
      expect(failure).to.be.instanceOf(UnreachableError).and.to.include({ code: 'ECONNRESET' })
      expect(await service.client.listSubscriptions()).to.deep.equal([])
    })

    it('loses the answer of a create that happened, and create-once still makes one task', async () => {
      await plan({ on: 'request', operation: 'createTask', fault: 'lose-answer', times: 1 })
      const body: CreateTask = aCreateBody({ document: { externalDocId: 'EHR|LOST-ANSWER' } })
      const journal = await openJournal(':memory:', 'creates')
      const { createTask } = createOnce({ client: service.client, journal, scope: 'test', settleMs: 3_000 })
      const made = await createTask(body)
      expect(made).to.include({ adopted: true })
      const listed = await service.client.listTasks({ query: { externalDocId: 'EHR|LOST-ANSWER' } })
      expect(listed.map(({ taskId }) => taskId)).to.deep.equal([made.taskId])
    })

    it('is of a share of the requests', async () => {
      await plan({ on: 'request', operation: 'listDocumentTypes', fault: 'refuse', status: 500, share: 0.5 })
      const all = await Promise.all(Array.from({ length: 100 }, () => failureOf(types())))
      expect(all.filter((failure) => failure).length).to.be.within(20, 80)
    })

    it('leaves other operations and other organizations alone, and is over when it is taken back', async () => {
      const { id } = await plan({ on: 'request', operation: 'listDocumentTypes', fault: 'refuse' })
      expect(await service.client.listTemplates()).to.be.an('array')
      expect(await service.other.listDocumentTypes()).to.be.an('array')
      expect((await service.ask('DELETE', `/sandbox/v1/faults/${id}`, { key: service.otherKey })).status).to.equal(404)
      expect((await failureOf(types()))?.code).to.equal('HTTP_503')
      expect((await service.ask('DELETE', `/sandbox/v1/faults/${id}`)).status).to.equal(204)
      expect(await types()).to.be.an('array')
    })

    it('is listed with what is left of it, to its own organization', async () => {
      const planned = await plan({ on: 'request', fault: 'delay', delaySeconds: 1, times: 3 })
      await types()
      expect((await service.ask('GET', '/sandbox/v1/faults')).body).to.deep.equal([{ ...planned, times: 2 }])
      expect((await service.ask('GET', '/sandbox/v1/faults', { key: service.otherKey })).body).to.deep.equal([])
    })
  })

  describe('of a callback', () => {
    let receiver: TestReceiver
    beforeEach(async () => {
      // Documents of earlier tests may still be on their way.
      await service.ask('POST', '/sandbox/v1/reset')
      receiver = await TestReceiver.start()
      const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
      receiver.secrets.push(secret)
    })
    afterEach(async () => {
      for (const { id } of await service.client.listSubscriptions())
        await service.client.deleteSubscription({ params: { id } })
      await receiver.stop()
    })
    const codes = () =>
      receiver.received.map(({ refusal }) => (refusal as WebhookVerificationError | null)?.code ?? 'verified')

    async function pending(): Promise<number> {
      const taskId = await service.create(aCreateBody())
      await service.reaches(taskId, 'Pending')
      return taskId
    }

    it('sends it twice, with one event id', async () => {
      await plan({ on: 'callback', status: 'Pending', fault: 'duplicate', times: 1 })
      await pending()
      await receiver.until(() => receiver.received.length === 2)
      expect(codes()).to.deep.equal(['verified', 'verified'])
      expect(new Set(receiver.received.map(({ event }) => event!.eventId))).to.have.property('size', 1)
    })

    const forged = [
      ['wrong-signature', 'no_match'],
      ['changed-body', 'no_match'],
      ['old-timestamp', 'timestamp_too_old'],
    ] as const
    for (const [fault, code] of forged)
      it(`is not believed: ${fault}`, async () => {
        await plan({ on: 'callback', fault, times: 1 })
        await pending()
        await receiver.until(() => receiver.received.length === 1)
        expect(codes()).to.deep.equal([code])
      })

    it('lets the next one overtake it', async () => {
      await plan({ on: 'callback', status: 'Pending', fault: 'delay', delaySeconds: 2 })
      const taskId = await pending()
      await service.client.retractTask({ params: { id: taskId }, query: {} })
      await receiver.until(() => receiver.received.length === 2)
      expect(receiver.statusesOf(taskId)).to.deep.equal(['Retracted', 'Pending'])
    })
  })

  describe('that cannot be planned', () => {
    const wrong: [object, RegExp][] = [
      [{}, /^on: (required; )?one of request, callback$/],
      [{ on: 'request', fault: 'explode' }, /^fault: one of refuse, delay, reset, lose-answer, cut-answer$/],
      [{ on: 'request', fault: 'refuse', operation: 'checkHealth' }, /^operation: one of /],
      [{ on: 'callback', fault: 'delay', delaySeconds: 11 }, /^delaySeconds: a whole number from 1 to 10$/],
      [{ on: 'callback', fault: 'duplicate', share: 2 }, /^share: a number from 0 to 1$/],
      [{ on: 'callback', fault: 'duplicate', often: 2 }, /^often: unknown parameter$/],
    ]
    for (const [body, message] of wrong)
      it(JSON.stringify(body), async () => {
        const { status, errors } = await service.ask('POST', '/sandbox/v1/faults', { body })
        expect(status).to.equal(400)
        expect(errors).to.have.length(1)
        expect(errors[0]).to.match(message)
      })

    it('more than a hundred at once', async () => {
      for (let i = 0; i < 100; i++) await plan({ on: 'callback', fault: 'duplicate' })
      const one = { on: 'callback', fault: 'duplicate' }
      expect((await service.ask('POST', '/sandbox/v1/faults', { body: one })).status).to.equal(409)
    })
  })
})
