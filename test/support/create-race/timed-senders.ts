/**
 * Sender processes that share a virtual time. It stands still while one of them works, also while one that was killed starts
 * again, so that no machine is too slow for the race.
 */
import type { ChildProcess } from 'node:child_process'
import type { FakeClock } from '../fake-clock.ts'
import { forked } from '../processes.ts'
import type { Said, Told } from './sender.ts'

export type Answer = Extract<Said, { document: string }>

export interface TimedSender {
  readonly name: string
  /** What each of its two objects has no answer for. */
  readonly open: [Set<string>, Set<string>]
}

interface TimedSendersOptions {
  senders: readonly TimedSender[]
  clock: FakeClock
  argsOf(sender: TimedSender): string[]
  answered(sender: TimedSender, answer: Answer): void
  /** Called before the time goes on. */
  onStep(): void
}

export interface TimedSenders {
  /** False when it is dead already. It is started again with what it had no answer for. */
  kill(name: string): boolean
  /** Resolves when every document is answered; rejects when the time cannot go on. */
  work(): Promise<void>
}

/** Time goes on in steps, so that what happens at about the same time happens at once. */
const STEP_MS = 500
const LIMIT_MS = 2 * 3_600_000

interface Running {
  process: ChildProcess
  /** Undefined while it works. */
  idle?: { next: number | undefined } | undefined
  isTold: boolean
}

export function timedSenders({ senders, clock, argsOf, answered, onStep }: TimedSendersOptions): TimedSenders {
  const running = new Map<TimedSender, Running>()
  const isOver = () => senders.every(isDone)
  let [over, fail] = [() => {}, (_: Error) => {}]
  const end = new Promise<void>((resolve, reject) => {
    over = resolve
    fail = reject
  })

  function start(sender: TimedSender): void {
    const process = forked('test/support/create-race/sender.ts', argsOf(sender))
    const state: Running = { process, isTold: false }
    running.set(sender, state)
    process.on('message', (said: Said) => {
      if ('document' in said) answered(sender, said)
      else state.idle = { next: said.next }
      if (isOver()) over()
      else if (senders.every((one) => running.get(one)?.idle)) step()
    })
    process.on('exit', () => {
      if (!isOver()) start(sender)
    })
  }

  function step(): void {
    const states = [...running.values()]
    const due = [...states.map(({ idle }) => idle?.next), clock.next].filter((next) => next !== undefined)
    if (states.every(({ isTold }) => isTold)) {
      if (due.length === 0 || clock.now() > LIMIT_MS) {
        fail(new Error('The processes get nowhere: they wait for nothing, or for too long.'))
        return
      }
      clock.advanceTo(Math.ceil(Math.min(...due) / STEP_MS) * STEP_MS)
      onStep()
    }
    for (const [sender, state] of running) tell(sender, state)
  }

  function tell({ open }: TimedSender, state: Running): void {
    const told: Told = { now: clock.now(), ...(!state.isTold && { documents: [[...open[0]], [...open[1]]] }) }
    state.isTold = true
    state.idle = undefined
    // One that was just killed hears nothing, and is started again.
    state.process.send(told, () => {})
  }

  return {
    kill(name) {
      const [, state] = [...running].find(([sender]) => sender.name === name)!
      return !state.process.killed && state.process.kill('SIGKILL')
    },
    async work() {
      for (const sender of senders) start(sender)
      await end.finally(() => {
        for (const { process } of running.values()) process.removeAllListeners('exit').kill('SIGKILL')
      })
    },
  }
}

const isDone = ({ open }: TimedSender): boolean => open.every(({ size }) => size === 0)
