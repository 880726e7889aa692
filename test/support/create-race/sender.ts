/**
 * A process that creates tasks by two create-once objects, each with a client and a journal of its own. Its time is that of the
 * race: it stands still while anything is under way, and goes on when every process says that it has nothing left to do.
 */
import { createOnce } from '../../../lib/client/once/create-once.ts'
import type { Created } from '../../../lib/client/once/creating.ts'
import type { Journal } from '../../../lib/journal/journal.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { aCreateBody } from '../../lib/support/bodies.ts'
import { FakeClock, settle } from '../fake-clock.ts'
import { randomFrom } from '../random.ts'
import { aClient } from '../service/a-client.ts'

/** What the race sends: the time, and at first also what each of the two objects is to create. */
export interface Told {
  now: number
  documents?: [string[], string[]]
}

/** What a sender answers: what became of a document, or that all waits for the time to go on, until `next` at least. */
export type Said =
  | { document: string; object: number; outcome: Pick<Created, 'taskId' | 'duplicate' | 'adopted'> | string }
  | { idle: true; next: number | undefined }

const [, , location = '', baseUrl = '', name = '', seed = '0'] = process.argv
const WORKERS = 10
const SLOWEST_MS = 400

const random = randomFrom(Number(seed))
const say = (said: Said) => process.send?.(said)
const clock = new FakeClock(0)
let underWay = 0
let isIdle = true

/** What takes real time, and no time of the race. */
async function busy<T>(work: () => Promise<T>): Promise<T> {
  underWay++
  try {
    return await work()
  } finally {
    underWay--
    void idle()
  }
}

async function idle(): Promise<void> {
  await settle()
  if (underWay > 0 || isIdle) return
  isIdle = true
  say({ idle: true, next: clock.next })
}

async function anObject() {
  const journal = await openJournal(location, 'creates')
  const counted: Journal = Object.assign(Object.create(journal) as Journal, {
    get: (key: string) => busy(() => journal.get(key)),
    change: (...call: Parameters<Journal['change']>) => busy(() => journal.change(...call)),
  })
  const client = aClient({ baseUrl, apiKey: name })
  const travel = () => clock.sleep(random.below(SLOWEST_MS))
  return createOnce({
    client: {
      async createTask(...call) {
        await travel()
        return busy(() => client.createTask(...call))
      },
      async listTasks(...call) {
        await travel()
        return busy(() => client.listTasks(...call))
      },
    },
    journal: counted,
    scope: 'the race',
    clock,
    random: () => random.below(1000) / 1000,
  })
}

const objects = await Promise.all([anObject(), anObject()])

async function work(object: number, documents: string[]): Promise<void> {
  for (let document = documents.shift(); document !== undefined; document = documents.shift()) {
    const outcome = await objects[object]!.createTask(aCreateBody({ externalDocId: document })).catch(
      (failure: Error) => `${failure.name}: ${failure.message}`,
    )
    say({ document, object, outcome })
  }
}

process.on('message', ({ now, documents }: Told) => {
  isIdle = false
  clock.advanceTo(now)
  for (const [object, list] of documents?.entries() ?? [])
    for (let worker = 0; worker < WORKERS; worker++) void work(object, list)
  void idle()
})
process.once('disconnect', () => process.exit())
say({ idle: true, next: undefined })
