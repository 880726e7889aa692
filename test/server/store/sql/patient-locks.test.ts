/** Who waits for whom in PostgreSQL while patients are looked for: only those who look for the same one. */
import { expect } from 'chai'
import pg from 'pg'
import { matchPatient } from '../../../../server/domain/task/matching.ts'
import type { ClaimedTask } from '../../../../server/store/tasks/claimed-task.ts'
import { eventually } from '../../../support/eventually.ts'
import { aCreateBody } from '../../../support/service/a-create-body.ts'
import { claim, resolvePatient } from '../../../support/service/task-steps.ts'
import { aPostgres, type TestPostgres } from '../../../support/store/postgres/a-postgres.ts'
import { migratedDatabase } from '../../../support/store/postgres/kept-database.ts'
import { keptDatabases } from '../../../support/store/postgres/kept-databases.ts'
import { AT, later, newTask, organization, type Place, storesIn } from '../stores-in.ts'

const LEASE = later(3600)
const { patient } = aCreateBody()
const sameDemographics = { ...patient, externalId: 'OTHER-ID', identifiers: [] }
const sameId = { ...patient, names: [{ given: ['Somebody'], family: patient.names[0]!.family }] }
const stranger = { ...patient, externalId: 'STRANGER', birthDate: '1951-02-03' }

describe('Whoever looks for a patient in PostgreSQL', function () {
  this.timeout(60_000)
  let postgres: TestPostgres
  before(async () => {
    postgres = await aPostgres()
  })
  after(() => postgres.stop())
  /** Ends what a failed test left open. */
  const ends = new Set<() => void>()
  afterEach(() => {
    for (const end of ends) end()
    ends.clear()
  })
  const next = keptDatabases(() => postgres.database(), migratedDatabase)
  const { twoProcesses, place } = storesIn(async (): Promise<Place> => {
    const { url, query } = await next()
    return { data: url, query, everything: async () => Buffer.alloc(0) }
  })

  /** Two processes, and claimed tasks of one organization for these patients. */
  async function tasksOf(...patients: (typeof patient)[]) {
    const [one, two] = await twoProcesses()
    const sender = await organization(one!)
    const { tasks } = one!.forOrganization(sender)
    const { request } = newTask()
    for (const sent of patients) await tasks.create(newTask({ request: { ...request, patient: sent } }), AT)
    const claimed = await claim(one!, AT, LEASE, patients.length)
    return { one: one!, two: two!, claimed }
  }
  type Stores = Awaited<ReturnType<typeof tasksOf>>

  /** Finds or makes the patient of the task, and keeps its transaction open until it is told to end. */
  async function looking({ one }: Pick<Stores, 'one'>, task: ClaimedTask, at = AT) {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    ends.add(() => end())
    let whole: Promise<unknown> = Promise.resolve()
    await new Promise<void>((found, failed) => {
      whole = one.ingestion.together(async (inside) => {
        await inside.resolvePatient(task, matchPatient, at)
        found()
        await ended
      })
      whole.catch(failed)
    })
    return async () => {
      end()
      await whole
    }
  }
  const isWaiting = () =>
    eventually(async () => {
      const waiting = await place().query('SELECT 1 FROM pg_locks WHERE NOT granted')
      expect(waiting).to.have.lengthOf(1)
    })

  it('does not wait for those who look for others in the same organization', async () => {
    const stores = await tasksOf(patient, stranger)
    const end = await looking(stores, stores.claimed[0]!)
    expect((await resolvePatient(stores.two, stores.claimed[1]!, AT)).outcome).to.equal('known')
    await end()
  })

  for (const [by, other, outcome] of [
    ['id', sameId, 'known'],
    ['demographics', sameDemographics, 'review'],
  ] as const) {
    it(`waits for those who look for the same one, by its ${by}, and sees what they made`, async () => {
      const stores = await tasksOf(patient, other)
      const end = await looking(stores, stores.claimed[0]!)
      const second = resolvePatient(stores.two, stores.claimed[1]!, AT)
      await isWaiting()
      await end()
      expect((await second).outcome).to.equal(outcome)
    })
  }

  it('waits for an instance of a version before, which locks the organization', async () => {
    const { two, claimed } = await tasksOf(patient)
    const earlier = new pg.Client({ connectionString: place().data })
    await earlier.connect()
    try {
      await earlier.query('BEGIN')
      await earlier.query('SELECT 1 FROM organization WHERE id = $1 FOR NO KEY UPDATE', [claimed[0]!.organizationId])
      const second = resolvePatient(two, claimed[0]!, AT)
      await isWaiting()
      await earlier.query('COMMIT')
      expect((await second).outcome).to.equal('known')
    } finally {
      await earlier.end()
    }
  })

  it('keeps a patient from being removed that is just heard of again', async () => {
    const stores = await tasksOf(patient, patient)
    const { one, two, claimed } = stores
    await resolvePatient(one, claimed[0]!, AT)
    const end = await looking(stores, claimed[1]!, later(120))
    const removed = two.retention.removePatients(later(60), later(180))
    await isWaiting()
    await end()
    await removed
    expect(await place().query('SELECT 1 FROM patient')).to.have.lengthOf(1)
  })
})
