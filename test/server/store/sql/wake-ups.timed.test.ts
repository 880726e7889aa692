/** Instances on one PostgreSQL wake each other, and find what nobody woke them for at their next look. */
import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { openStore, type Store } from '../../../../server/store/store.ts'
import { eventually } from '../../../support/eventually.ts'
import { TestReceiver } from '../../../support/network/test-receiver.ts'
import { aCreateBody } from '../../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../../support/service/a-service.ts'
import { trigger } from '../../../support/service/task-steps.ts'
import { aPostgres, query, type TestPostgres } from '../../../support/store/postgres/a-postgres.ts'

describe('An instance on PostgreSQL', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  let data: string
  let receiver: TestReceiver | undefined
  let delivering: TestService | undefined
  /** Another instance, which changes tasks and delivers nothing. */
  let other: Store | undefined
  before(async () => {
    postgres = await aPostgres()
    data = await postgres.database()
    const masterKey = randomBytes(32)
    delivering = await aService({ data, masterKey: masterKey.toString('base64') })
    other = await openStore(data, masterKey)
    receiver = await TestReceiver.start()
    receiver.secrets.push((await delivering.client.createSubscription({ body: { url: receiver.url } })).secret)
  })
  after(async () => {
    await Promise.all([delivering?.stop(), other?.close(), receiver?.stop()])
    await postgres?.stop()
  })

  const aPendingTask = async () => {
    const id = await delivering!.create(aCreateBody())
    await delivering!.reaches(id, 'Pending')
    await receiver!.until(({ event }) => event?.taskId === id)
    return id
  }
  /** Milliseconds from the change in the other instance to its callback. */
  async function toCallback(taskId: number): Promise<number> {
    await trigger(other!, taskId, 'retract', { at: new Date(), eventId: randomUUID() })
    const changed = performance.now()
    await receiver!.until(({ event }) => event?.taskId === taskId && event.status === 'Retracted')
    return performance.now() - changed
  }
  const listeners = () =>
    query(data, "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND datname = current_database()")

  it('tells of a change of another instance at once', async () => {
    const times: number[] = []
    for (let n = 0; n < 5; n++) times.push(await toCallback(await aPendingTask()))
    times.sort((a, b) => a - b)
    expect(times[2], `median of ${times.map(Math.round)} ms`).to.be.below(700)
  })

  it('tells of it at its next look while it cannot be woken, and is woken again when it has connected again', async () => {
    const taskId = await aPendingTask()
    const [listening] = await listeners()
    await query(data, `SELECT pg_terminate_backend(${listening!.pid}, 5000)`)
    expect(await toCallback(taskId)).to.be.below(5_000)
    await eventually(async () => {
      const [again] = await listeners()
      expect(again?.pid).to.be.a('number').that.does.not.equal(listening!.pid)
    })
    expect(await toCallback(await aPendingTask())).to.be.below(1_000)
  })
})
