/**
 * The promise of create-once under fire: with lost answers, late commits, failing lists, replays and crashes, every document
 * ends with exactly one task. The same run with too short a settle window must fail, or the test would prove nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createOnce } from '../../../../lib/client/once/create-once.ts'
import type { Created } from '../../../../lib/client/once/creating.ts'
import { openJournal } from '../../../../lib/journal/open.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { aCreateBody } from '../../support/bodies.ts'
import { mayDie, mortalClock, mortalJournal } from './mortal.ts'
import { type Faults, seeded, unreliableHost } from './unreliable-host.ts'

const FAULTS: Faults = {
  refused: 0.02,
  lostBefore: 0.04,
  lostAfter: 0.04,
  late: 0.06,
  listFails: 0.02,
  listLagMs: 60_000,
}
const DOCUMENTS = 300
const WORKERS = 20

describe('create-once on a host that fails', function () {
  this.timeout(60_000)
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'create-once-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function run({ settleMs, seed, crashes }: { settleMs: number; seed: number; crashes: number }) {
    const clock = new FakeClock()
    const random = seeded(seed)
    const host = unreliableHost(clock, random, FAULTS)
    const results = new Map<string, Created>()
    const waiting = Array.from({ length: DOCUMENTS }, (_, at) => `EHR|DOC-${at}`)

    /** One life of the sending process: it dies at any moment, and what it was about to do never happens. */
    async function life(): Promise<'died' | 'done'> {
      const journal = await openJournal(join(folder, 'create.sqlite'), 'create')
      let died = () => {}
      const death = new Promise<'died'>((resolve) => {
        died = () => resolve('died')
      })
      const isDead = { value: false }
      const mortal = <T>(work: () => Promise<T>) => mayDie(work, isDead, () => random() < crashes && died())
      const once = createOnce({
        client: {
          createTask: (call) => mortal(() => host.createTask(call)),
          listTasks: (call) => mortal(() => host.listTasks(call)),
        },
        journal: mortalJournal(journal, mortal),
        scope: 'scope',
        settleMs,
        clock: mortalClock(clock, mortal, isDead),
        random,
      })
      const taken = new Set<string>()
      const worker = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          taken.add(id)
          const created = await once.createTask(aCreateBody({ externalDocId: id })).catch((failure: Error) => failure)
          if (isDead.value) return
          taken.delete(id)
          if (created instanceof Error) {
            waiting.push(id)
            continue
          }
          if (!results.has(id)) results.set(id, created)
          expect(created.taskId, 'a replay learns of the same task').to.equal(results.get(id)?.taskId)
          if (random() < 0.1) waiting.push(id)
        }
      }
      const work = Promise.all(Array.from({ length: WORKERS }, worker)).then(() => 'done' as const)
      const end = await Promise.race([work, death])
      isDead.value = true
      await journal.close()
      // The next life gets again what this one was at, as a sender's system repeats what was not acknowledged.
      if (end === 'died') waiting.push(...taken)
      return end
    }

    let lives = 1
    while ((await clock.until(life())) === 'died') lives++
    await clock.pass(600_000)
    const documents = new Set(host.tasks.map(({ externalDocId }) => externalDocId))
    return { extra: host.tasks.length - documents.size, lost: DOCUMENTS - documents.size, results, lives, host }
  }

  for (const seed of [1, 2, 3])
    it(`makes ${DOCUMENTS} tasks of ${DOCUMENTS} documents, none extra and none lost (seed ${seed})`, async () => {
      const { extra, lost, results, lives, host } = await run({ settleMs: 120_000, seed, crashes: 0.001 })
      expect({ extra, lost }).to.deep.equal({ extra: 0, lost: 0 })
      expect(results.size).to.equal(DOCUMENTS)
      for (const { taskId, externalDocId } of host.tasks) expect(results.get(externalDocId)?.taskId).to.equal(taskId)
      expect(lives, 'it crashed and was started again').to.be.greaterThan(2)
    })

  it('would make extra tasks if it waited less than late commits and the list take', async () => {
    expect((await run({ settleMs: 30_000, seed: 1, crashes: 0 })).extra).to.be.greaterThan(0)
  })
})
