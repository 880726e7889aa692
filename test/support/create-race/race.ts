/**
 * Two processes with two create-once objects each send the same documents to a slow host, by way of one journal. They are killed at
 * random, at any moment of their work and in the middle of creates, and started again with what they had no answer for.
 */
import { FakeClock } from '../fake-clock.ts'
import { randomFrom } from '../random.ts'
import { type HostTask, slowHost } from './slow-host.ts'
import { type Answer, type TimedSender, timedSenders } from './timed-senders.ts'

export interface RaceOptions {
  /** Of the journal. */
  location: string
  documents: number
  /** How often processes are killed, at most: half of it in the middle of a create. */
  kills: number
  seed: number
}

export interface Race {
  tasks: number
  /** Tasks beyond the first of their document. */
  extra: number
  /** Documents without a task. */
  lost: number
  /** Answers that name another task than the first answer for the document, and failures. */
  wrong: string[]
  /** Kills at any moment, and in the middle of a create. */
  killed: { atWork: number; inACreate: number }
  adopted: number
  duplicates: number
  /** Of the time of the race. */
  minutes: number
}

const KILL_AT_WORK = 0.02
const KILL_WITHIN_MS = 20

export async function race({ location, documents, kills, seed }: RaceOptions): Promise<Race> {
  const random = randomFrom(seed)
  const clock = new FakeClock(0)
  const ids = Array.from({ length: documents }, (_, at) => `DOC-${at}`)
  const aSender = (name: string): TimedSender => ({ name, open: [new Set(ids), new Set(ids)] })
  const senders = [aSender('one'), aSender('two')]
  const killed = { atWork: 0, inACreate: 0 }
  // A host sees at least as many as there are documents.
  const deadly = new Set(Array.from({ length: kills / 2 }, () => random.below(documents)))
  let strikes = 0
  const noted = notes()
  const host = await slowHost({
    clock,
    random,
    strikes(name) {
      if (!deadly.has(strikes++) || !timed.kill(name)) return false
      killed.inACreate++
      return true
    },
  })
  const timed = timedSenders({
    senders,
    clock,
    argsOf: ({ name }) => [location, host.baseUrl, name, String(random.below(1_000_000))],
    answered: noted.note,
    onStep() {
      if (killed.atWork >= kills / 2 || !random.isSo(KILL_AT_WORK)) return
      killed.atWork++
      const { name } = random.pick(senders)
      setTimeout(() => timed.kill(name), random.below(KILL_WITHIN_MS))
    },
  })
  try {
    await timed.work()
    // What the host commits late, it commits by then.
    clock.advance(600_000)
    return { ...tasksOf(host.tasks, ids), ...noted.figures, killed, minutes: Math.round(clock.now() / 60_000) - 10 }
  } finally {
    await host.stop()
  }
}

function notes() {
  const answers = new Map<string, number>()
  const figures = { wrong: [] as string[], adopted: 0, duplicates: 0 }
  const note = ({ open }: TimedSender, { document, object, outcome }: Answer) => {
    open[object]?.delete(document)
    if (typeof outcome === 'string') return void figures.wrong.push(`${document}: ${outcome}`)
    const known = answers.get(document) ?? outcome.taskId
    answers.set(document, known)
    if (known !== outcome.taskId) figures.wrong.push(`${document}: ${outcome.taskId} instead of ${known}`)
    if (outcome.adopted) figures.adopted++
    if (outcome.duplicate) figures.duplicates++
  }
  return { figures, note }
}

function tasksOf(tasks: readonly HostTask[], ids: readonly string[]): Pick<Race, 'tasks' | 'extra' | 'lost'> {
  const made = new Set(tasks.map(({ externalDocId }) => externalDocId))
  return { tasks: tasks.length, extra: tasks.length - made.size, lost: ids.filter((id) => !made.has(id)).length }
}
