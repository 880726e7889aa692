/**
 * The promise of withdrawing under fire: documents are created, withdrawn, and sent again in every order and at once, the host loses
 * answers and commits late, and the processes are killed. After a withdrawal that was acknowledged no task of the document is open,
 * and no document ever has a second one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createOnce } from '../../../../lib/client/once/create-once.ts'
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
const DOCUMENTS = 90
const WORKERS = 20

type Step = { id: string; act: 'create' | 'withdraw' | 'withdraw by its other id' }

describe('withdrawing documents on a host that fails', function () {
  this.timeout(60_000)
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'withdraw-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function run({ seed, crashes, settleMs }: { seed: number; crashes: number; settleMs: number }) {
    const clock = new FakeClock()
    const random = seeded(seed)
    const host = unreliableHost(clock, random, FAULTS)
    const retracted = new Set<number>()
    const acknowledged = new Set<string>()
    const refused = new Set<string>()
    const ids = Array.from({ length: DOCUMENTS }, (_, at) => `EHR|DOC-${at}`)
    const other = (id: string) => id.replace('EHR', 'LAB')
    const steps: Step[] = ids.flatMap((id, at) => [
      { id, act: 'create' as const },
      // A third of the documents is not withdrawn.
      ...(at % 3 === 0
        ? []
        : [{ id, act: at % 3 === 1 ? ('withdraw' as const) : ('withdraw by its other id' as const) }]),
      { id, act: 'create' as const },
    ])
    // The steps of a document stay near each other, in any order.
    const order = new Map(steps.map((step, at) => [step, at + 8 * random()]))
    const waiting = steps.toSorted((a, b) => order.get(a)! - order.get(b)!)

    async function life(): Promise<'died' | 'done'> {
      const journal = await openJournal(join(folder, 'create.sqlite'), 'create')
      let died = () => {}
      const death = new Promise<'died'>((resolve) => {
        died = () => resolve('died')
      })
      const isDead = { value: false }
      const mortal = <T>(work: () => Promise<T>) => mayDie(work, isDead, () => random() < crashes && died())
      // Two of them, as two processes are: they share the journal alone.
      const objects = [1, 2].map(() =>
        createOnce({
          client: {
            createTask: (call) => mortal(() => host.createTask(call)),
            listTasks: (call) => mortal(() => host.listTasks(call)),
          },
          journal: mortalJournal(journal, mortal),
          scope: 'scope',
          settleMs,
          clock: mortalClock(clock, mortal, isDead),
          random,
        }),
      )
      async function take({ id, act }: Step): Promise<'over' | 'again'> {
        const once = objects[random() < 0.5 ? 0 : 1]!
        try {
          if (act === 'create') await once.createTask(aCreateBody({ externalDocId: id }), { aliases: [other(id)] })
          else {
            const { taskIds } = await once.withdraw(act === 'withdraw' ? id : other(id))
            if (isDead.value) return 'again'
            for (const taskId of taskIds) retracted.add(taskId)
            acknowledged.add(id)
          }
          return 'over'
        } catch (failure) {
          const { code } = failure as { code?: string }
          if (code === 'WITHDRAWN' && !isDead.value) refused.add(id)
          return code === 'WITHDRAWN' ? 'over' : 'again'
        }
      }
      const taken = new Set<Step>()
      const worker = async () => {
        for (let step = waiting.shift(); step; step = waiting.shift()) {
          taken.add(step)
          const end = await take(step)
          if (isDead.value) return
          taken.delete(step)
          if (end === 'again') waiting.push(step)
        }
      }
      const work = Promise.all(Array.from({ length: WORKERS }, worker)).then(() => 'done' as const)
      const end = await Promise.race([work, death])
      isDead.value = true
      await journal.close()
      if (end === 'died') waiting.push(...taken)
      return end
    }

    let lives = 1
    while ((await clock.until(life())) === 'died') lives++
    await clock.pass(600_000)
    const documents = new Set(host.tasks.map(({ externalDocId }) => externalDocId))
    const open = host.tasks.filter(({ taskId }) => !retracted.has(taskId)).map(({ externalDocId }) => externalDocId)
    return {
      extra: host.tasks.length - documents.size,
      openAfterWithdrawal: open.filter((id) => acknowledged.has(id)),
      lost: ids.filter((id, at) => at % 3 === 0 && !open.includes(id)),
      acknowledged: acknowledged.size,
      refused: refused.size,
      retracted: retracted.size,
      lives,
    }
  }

  for (const seed of [1, 2, 3])
    it(`leaves no withdrawn document open, makes none twice, and loses none (seed ${seed})`, async () => {
      const end = await run({ seed, crashes: 0.002, settleMs: 120_000 })
      expect(end).to.deep.include({ extra: 0, openAfterWithdrawal: [], lost: [], acknowledged: DOCUMENTS - 30 })
      expect(end.lives, 'it was killed and started again').to.be.greaterThan(2)
      expect(end.refused, 'some were withdrawn before they were sent').to.be.greaterThan(3)
      expect(end.retracted, 'some were withdrawn afterwards').to.be.greaterThan(3)
    })

  it('would leave some open if a lost task were not looked for as long as it may turn up', async () => {
    const { openAfterWithdrawal } = await run({ seed: 1, crashes: 0, settleMs: 3000 })
    expect(openAfterWithdrawal).to.not.deep.equal([])
  })
})
