/** Processes of Node-RED that share a PostgreSQL: each test of a suite has a database of its own, and what it opens is closed after it. */
import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { createSeal } from '../../../../nodes/shared/carry/seal.ts'
import { type SharedDatabase, sharedDatabase } from '../../../../nodes/shared/database/shared-database.ts'
import { type HeldQueue, openHeldQueue } from '../../../../nodes/shared/held/held-queue.ts'
import type { Message } from '../../../../nodes/shared/runtime/node-red.ts'
import { eventually } from '../../eventually.ts'
import { FakeClock } from '../../fake-clock.ts'
import { patience } from '../../patience.ts'
import { aPostgres, type TestPostgres } from './a-postgres.ts'

/** Leases end only where a test ends them, and a slow machine may take long for a call. */
const TIMES = { leaseMs: 3_600_000, limitMs: patience(60_000) }

export interface SharedProcesses {
  readonly postgres: TestPostgres
  /** The database of the test. */
  readonly url: string
  readonly clock: FakeClock
  /** Called after the test, the last one first. */
  readonly ending: (() => unknown)[]
  /** The seal that all processes have. */
  readonly seal: ReturnType<typeof createSeal>
  /** Starts one more process, which is closed after the test. */
  aProcess(name: string): Promise<SharedDatabase>
  /** Opens the queue of held messages in a process. */
  aDesk(database: SharedDatabase, emit: (message: Message) => void): HeldQueue
}

/** Registers the set-up for the suite that calls it. @param beatMs how often each process says that it lives */
export function sharedProcesses(beatMs: number): SharedProcesses {
  const state = { url: '', clock: new FakeClock() } as { postgres: TestPostgres; url: string; clock: FakeClock }
  const ending: (() => unknown)[] = []
  const seal = createSeal('a secret')
  before(async () => {
    state.postgres = await aPostgres()
  })
  after(() => state.postgres.stop())
  beforeEach(async () => {
    state.url = await state.postgres.database()
    state.clock = new FakeClock()
  })
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end()
  })
  return {
    get postgres() {
      return state.postgres
    },
    get url() {
      return state.url
    },
    get clock() {
      return state.clock
    },
    ending,
    seal,
    async aProcess(name) {
      const database = sharedDatabase({ url: state.url, ...TIMES, beatMs, run: `${name}-${randomUUID()}` })
      ending.push(() => database.close())
      await eventually(() => database.ready())
      await eventually(() => database.call({ sql: 'SELECT 1' }))
      return database
    },
    aDesk: (database, emit) =>
      openHeldQueue({
        where: { database, queue: 'held-desk' },
        nodeId: 'desk',
        run: database.run,
        seal,
        clock: state.clock,
        maxMessages: 10,
        maxBytes: 100_000,
        endedReason: 'ended',
        emit,
        onChanged: () => {},
        onDropped: () => {},
        onError: (failure) => {
          throw failure
        },
      }),
  }
}

/** Resolves when what was begun in this process has had turns enough. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await turn()
}
