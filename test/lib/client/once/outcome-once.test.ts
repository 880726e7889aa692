/** Recording, retracting and fetching what was signed, at a real service that loses answers when it is told to. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { RefusedError, UnauthorizedError, UnreachableError } from '../../../../lib/client/errors.ts'
import { fetchSigned } from '../../../../lib/client/fetch-signed.ts'
import { recordOnce } from '../../../../lib/client/once/record-once.ts'
import { retractOnce } from '../../../../lib/client/once/retract-once.ts'
import { TaskStatusError } from '../../../../lib/client/task-status-error.ts'
import type { OperationName } from '../../../../lib/contract/operations.ts'
import type { Task } from '../../../../lib/contract/task/task.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { aCreateBody } from '../../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../../support/service/a-service.ts'
import { aWaitingOrder } from '../../../support/service/a-waiting-order.ts'

describe('what is done once about a task', function () {
  this.timeout(30_000)
  let service: TestService
  let count = 0
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())
  beforeEach(() => service.ask('DELETE', '/sandbox/v1/faults'))

  const losesAnswer = (operation: OperationName) =>
    service.ask('POST', '/sandbox/v1/faults', { body: { on: 'request', operation, fault: 'lose-answer', times: 1 } })
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it worked'),
      (thrown: unknown) => thrown,
    )
  async function aSignedTask(): Promise<number> {
    const taskId = await aWaitingOrder(service)
    await service.signs(taskId)
    return taskId
  }
  const anOutcome = () => ({ externalSavedDocumentId: `ONCE-${++count}`, saved: true })

  describe('a recorded outcome', () => {
    it('is recorded, and a repeat does no harm', async () => {
      const taskId = await aSignedTask()
      const outcome = anOutcome()
      expect(await recordOnce(service.client, taskId, outcome)).to.deep.equal({ repeated: false })
      expect(await recordOnce(service.client, taskId, outcome)).to.deep.equal({ repeated: true })
      const { output } = await service.client.readTask({ params: { id: taskId } })
      expect(output).to.include({ externalSavedDocumentId: outcome.externalSavedDocumentId, isFiled: true })
    })

    it('is found when the answer was lost', async () => {
      const taskId = await aSignedTask()
      await losesAnswer('updateTask')
      expect(await recordOnce(service.client, taskId, anOutcome())).to.deep.equal({ repeated: true })
    })

    it('is not taken for another one that the task has', async () => {
      const taskId = await aSignedTask()
      const taken = anOutcome()
      await recordOnce(service.client, await aSignedTask(), taken)
      expect(await failureOf(recordOnce(service.client, taskId, taken))).to.be.instanceOf(RefusedError)
    })

    it('is refused with the key', async () => {
      const taskId = await aSignedTask()
      const stranger = service.clientOf('csk_test_unknown')
      expect(await failureOf(recordOnce(stranger, taskId, anOutcome()))).to.be.instanceOf(UnauthorizedError)
    })
  })

  describe('a retracted task', () => {
    it('is retracted with its reason, and a repeat does no harm', async () => {
      const taskId = await aWaitingOrder(service)
      expect(await retractOnce(service.client, taskId, { reason: 'Corrected' })).to.deep.equal({ repeated: false })
      expect(await retractOnce(service.client, taskId)).to.deep.equal({ repeated: true })
      const { status, statusReason } = await service.client.readTask({ params: { id: taskId } })
      expect([status, statusReason]).to.deep.equal(['Retracted', 'Corrected'])
    })

    it('is found when the answer was lost', async () => {
      const taskId = await aWaitingOrder(service)
      await losesAnswer('retractTask')
      expect(await retractOnce(service.client, taskId)).to.deep.equal({ repeated: true })
    })

    it('cannot be retracted once it was signed, and the error says so', async () => {
      const taskId = await aSignedTask()
      const failure = await failureOf(retractOnce(service.client, taskId))
      expect(failure).to.be.instanceOf(TaskStatusError).and.to.include({ code: 'ALREADY_SIGNED', taskId })
    })

    it('is waited for until it is in the inbox, for as long as the caller has patience', async () => {
      const taskId = await service.create(aCreateBody({}))
      expect(await retractOnce(service.client, taskId, { patienceMs: 20_000 })).to.deep.equal({ repeated: false })
      expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Retracted')

      const refused = new RefusedError('retractTask', 400, ['status: the task is Processing'])
      const processing = { taskId, status: 'Processing' } as Task
      const host = { retractTask: () => Promise.reject(refused), readTask: async () => processing }
      const clock = new FakeClock()
      const begun = clock.now()
      // Each pause is over at once.
      const skipping = { ...clock, now: clock.now, sleep: async (ms: number) => clock.advance(ms) }
      const failure = await failureOf(retractOnce(host, taskId, { patienceMs: 60_000, clock: skipping }))
      expect(failure).to.equal(refused)
      expect(clock.now() - begun).to.be.within(54_000, 60_000)
    })

    it('is retracted when it came into the inbox right after the refusal', async () => {
      const clock = new FakeClock()
      const skipping = { ...clock, now: clock.now, sleep: async (ms: number) => clock.advance(ms) }
      const refused = new RefusedError('retractTask', 400, ['status: the task is Processing'])
      let refusals = 1
      const retractTask = async () => {
        if (refusals-- > 0) throw refused
        return undefined
      }
      const host = { retractTask, readTask: async () => ({ taskId: 1, status: 'Pending' }) as Task }
      expect(await retractOnce(host, 1, { patienceMs: 60_000, clock: skipping })).to.deep.equal({ repeated: false })
      refusals = 99
      expect(await failureOf(retractOnce(host, 1, { patienceMs: 60_000, clock: skipping }))).to.equal(refused)
      expect(refusals, 'a reason that is refused is not sent for a minute').to.equal(97)
    })

    it('is not looked up once its caller has given up', async () => {
      const taskId = await aWaitingOrder(service)
      const reason = new Error('given up')
      const failure = await failureOf(retractOnce(service.client, taskId, { signal: AbortSignal.abort(reason) }))
      expect(failure).to.equal(reason)
      expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Pending')
    })
  })

  describe('the signed PDF', () => {
    it('comes with its hash and its task', async () => {
      const taskId = await aSignedTask()
      const { bytes, sha256, task } = await fetchSigned(service.client, taskId)
      expect(bytes.subarray(0, 5).toString()).to.equal('%PDF-')
      expect(sha256).to.equal(createHash('sha256').update(bytes).digest('hex'))
      expect(task).to.include({ taskId, status: 'Completed' })
    })

    it('is not there before the signer has signed', async () => {
      const taskId = await aWaitingOrder(service)
      const failure = await failureOf(fetchSigned(service.client, taskId))
      expect(failure)
        .to.be.instanceOf(TaskStatusError)
        .and.to.include({ code: 'NOT_COMPLETED', taskId, taskStatus: 'Pending' })
    })

    it('is missed where a Completed task comes without it', async () => {
      const readTask = async () => ({ taskId: 7, status: 'Completed' as const, output: { attachment: null } })
      const failure = (await failureOf(fetchSigned({ readTask }, 7))) as TaskStatusError
      expect(failure).to.include({ code: 'NO_SIGNED_PDF', taskStatus: 'Completed' })
      expect(failure.message).to.match(/^Task 7 is Completed, but its signed PDF did not come with it\./)
    })

    it('is asked for again when no answer comes: over a kept connection by the client, else by the caller', async () => {
      const taskId = await aSignedTask()
      await losesAnswer('readTask')
      const answer = await fetchSigned(service.client, taskId).catch((failure: unknown) => failure)
      if (answer instanceof Error) expect(answer).to.be.instanceOf(UnreachableError)
      expect((await fetchSigned(service.client, taskId)).bytes.length).to.be.greaterThan(1000)
    })
  })
})
