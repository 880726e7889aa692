/** How much waits: kept by the database with each change, it is what one would count, whatever happens. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import pg from 'pg'
import { OPERATOR } from '../../../server/domain/audit.ts'
import { Refusal } from '../../../server/domain/refusal.ts'
import { OutcomeUnknown, StoreAway } from '../../../server/domain/store-refusals.ts'
import { randomFrom } from '../../support/random.ts'
import { trigger } from '../../support/service/task-steps.ts'
import { countedIn, keptIn } from '../../support/store/counts/kept-counts.ts'
import { aWorkplace, randomWork } from '../../support/store/counts/random-work.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'
import { migratedDatabase } from '../../support/store/postgres/kept-database.ts'
import { keptDatabases } from '../../support/store/postgres/kept-databases.ts'
import { AT, newTask, organization, storesIn } from './stores-in.ts'

const STEPS = 200
const LOOK_EVERY = 4
const RESET_AT = 120
const WORKERS = 6

/** What is asked for at random is often refused. */
async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  await work().catch((failure: unknown) => {
    if (!(failure instanceof Refusal)) throw failure
  })
}

describe('Kept counts', function () {
  this.timeout(120_000)
  let postgres: TestPostgres | undefined
  const folders: string[] = []
  before(async () => {
    postgres = await aPostgres()
  })
  const next = keptDatabases(() => postgres!.database(), migratedDatabase)
  after(async () => {
    for (const folder of folders) rmSync(folder, { recursive: true })
    await postgres?.stop()
  })

  const inFolder = async () => {
    const data = mkdtempSync(join(tmpdir(), 'countersign-counts-'))
    folders.push(data)
    const ask = async (sql: string) => {
      const database = new DatabaseSync(join(data, 'countersign.sqlite'))
      try {
        return database.prepare(sql).all()
      } finally {
        database.close()
      }
    }
    return { data, query: ask, everything: async () => Buffer.alloc(0) }
  }
  const inPostgres = async () => {
    const { url, query } = await next()
    return { data: url, query, everything: async () => Buffer.alloc(0) }
  }

  for (const [name, newPlace] of [
    ['SQLite', inFolder],
    ['PostgreSQL', inPostgres],
  ] as const)
    describe(`in ${name}`, () => {
      const { open, twoProcesses, place } = storesIn(newPlace)
      const expectRight = async (after: string) => {
        const counted = await countedIn(place().query)
        expect(await keptIn(place().query), after).to.deep.equal(counted)
        return counted
      }

      it('are right all through many random changes', async () => {
        const store = await open()
        const workplace = await aWorkplace(store)
        const step = randomWork(store, workplace, randomFrom(7))
        const seen = new Set<string>()
        for (let n = 1; n <= STEPS; n++) {
          await unlessRefused(n === RESET_AT ? () => store.reset(workplace.senders[0]!, OPERATOR, AT) : step)
          if (n % LOOK_EVERY === 0) for (const line of await expectRight(`step ${n}`)) seen.add(line.split(' ')[1]!)
        }
        expect(seen, 'something of each kind').to.have.lengthOf(5)
      })

      it('are right after changes of two processes at once, and given to who may see them', async () => {
        const stores = await twoProcesses()
        const workplace = await aWorkplace(stores[0]!)
        await Promise.all(
          Array.from({ length: WORKERS }, async (_, worker) => {
            const step = randomWork(stores[worker % 2]!, workplace, randomFrom(worker + 1))
            for (let n = 0; n < STEPS / WORKERS; n++) await unlessRefused(step)
          }),
        )
        const counted = await expectRight('all of them')
        const [one, other] = workplace.senders
        for (const organizationId of [one!, other!]) {
          const counts = Object.entries(await stores[1]!.overview(organizationId).counts())
          const given = counts.filter(([, n]) => n > 0).map(([counts, n]) => `${organizationId} ${counts} ${n}`)
          expect(given.sort()).to.deep.equal(counted.filter((line) => line.startsWith(`${organizationId} `)))
        }
        const [ofOne, ofOther] = [await stores[0]!.overview(one!).counts(), await stores[0]!.overview(other!).counts()]
        expect((await stores[0]!.overview(null).counts()).ingesting).to.equal(ofOne.ingesting + ofOther.ingesting)
      })

      it('are those of before when a change does not come about', async () => {
        const store = await open()
        const sender = await organization(store)
        const create = () => store.forOrganization(sender).tasks.create(newTask(), AT)
        const [one, other] = [await create(), await create()]
        const facts = { at: AT, eventId: randomUUID() }
        await trigger(store, one.id, 'fail', facts)
        const before = await expectRight('one failed')
        // The task is written first, and then an event whose id is taken.
        const failure = await trigger(store, other.id, 'fail', facts).catch((reason: Error) => reason)
        expect(failure).to.be.an.instanceOf(Error)
        expect(await expectRight('the other did not')).to.deep.equal(before)
      })
    })

  describe('in PostgreSQL, where several write at once', () => {
    const { open, place } = storesIn(inPostgres)

    it('make no change wait for another one of the same organization, and stay few rows', async () => {
      const store = await open()
      const { tasks } = store.forOrganization(await organization(store))
      const { id } = await tasks.create(newTask(), AT)
      const rows = async () => (await place().query('SELECT count FROM work_count')).length
      const set = (ingestAt: string) => `UPDATE task SET ingest_at = ${ingestAt} WHERE id = ${id};`
      const other = new pg.Client({ connectionString: place().data })
      await other.connect()
      try {
        // Often enough that it puts rows together, and holds them until it commits.
        await other.query(`BEGIN; ${`${set('NULL')} ${set("'x'")}`.repeat(150)} ${set('NULL')}`)
        for (let n = 0; n < 450; n++) await tasks.create(newTask(), AT)
        expect(await rows()).to.be.below(250)
        expect(await keptIn(place().query)).to.deep.equal(['1 ingesting 451'])
        await other.query('COMMIT')
      } finally {
        await other.end()
      }
      expect(await keptIn(place().query)).to.deep.equal(['1 ingesting 450'])
    })

    it('are right when the server crashes among the changes', async () => {
      const store = await open()
      const workplace = await aWorkplace(store)
      let isOver = false
      const work = Array.from({ length: WORKERS }, async (_, worker) => {
        const step = randomWork(store, workplace, randomFrom(worker + 1))
        while (!isOver)
          await unlessRefused(step).catch((failure: unknown) => {
            if (!(failure instanceof StoreAway || failure instanceof OutcomeUnknown)) throw failure
          })
      })
      for (let crash = 0; crash < 3; crash++) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        await postgres!.restart('immediate')
      }
      await new Promise((resolve) => setTimeout(resolve, 500))
      isOver = true
      await Promise.all(work)
      const counted = await countedIn(place().query)
      expect(counted).to.have.lengthOf.above(4)
      expect(await keptIn(place().query)).to.deep.equal(counted)
    })
  })
})
