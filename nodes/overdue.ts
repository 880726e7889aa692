/**
 * Sends a message for each open task, once at each threshold: so many days after it was sent, or before its certification window ends.
 * shared/overdue finds and claims them.
 */
import { spread } from '../lib/back-off.ts'
import { systemClock } from '../lib/clock.ts'
import { createKeyLock } from '../lib/journal/key-lock.ts'
import { createGuardedSend } from './shared/accepted/guarded-send.ts'
import { minutesOf } from './shared/form/form-values.ts'
import { migrated } from './shared/form/migration.ts'
import { lookForOverdue, type OverdueNode } from './shared/overdue/look.ts'
import { createNotes } from './shared/overdue/notes.ts'
import { overdueJournal } from './shared/overdue/overdue-journal.ts'
import type { Schedule } from './shared/overdue/reminders.ts'
import { scheduleOf } from './shared/overdue/schedule.ts'
import { knownFailure, setFailure, stopped } from './shared/runtime/failures.ts'
import { flowsStarted } from './shared/runtime/flows-started.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Config, Message, Runtime, Send } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { onceItWorks } from './shared/runtime/once-it-works.ts'
import { type Shown, show, shownFailure, shownSetAside } from './shared/runtime/status.ts'
import { leaveService, noService, serviceOf } from './shared/service/connection.ts'
import { showConnection } from './shared/service/show-connection.ts'

/** After how long a claim is given up that was not noted as sent: its write has failed. */
const CLAIM_MS = 86_400_000

export default function (RED: Runtime) {
  RED.nodes.registerType('countersign-overdue', function (stored) {
    const config = migrated(stored)
    RED.nodes.createNode(this, stored)
    const service = serviceOf(RED, this, config.service)
    const closing = new AbortController()
    const { signal } = closing
    let asideCount = 0
    const showResult = (result: Shown) => {
      const shown = result.tone === 'bad' ? result : { ...result, ...shownSetAside(asideCount) }
      show(RED, this, { ...shown, at: Date.now() })
    }
    const onCount = (count: number) => {
      asideCount = count
      show(RED, this, shownSetAside(count))
    }
    const guarded = createGuardedSend({ runtime: RED, node: this, onCount })
    const opened = onceItWorks(async () => {
      if (!service) throw noService(config.service)
      return overdueJournal(service, this.id, repeatOf(config))
    })
    const journal = () => opened.get()
    const notes = createNotes(RED, this, config, service)
    const now = service?.shared?.clock.now ?? Date.now
    const connection = showConnection(RED, this, service, async () => asideCount === 0)
    const lock = createKeyLock()
    /** One look after the other, however many messages ask for one. */
    const look = (schedule: Schedule, asking: Message, send: Send) =>
      lock('look', async () => {
        connection.begin()
        const overdueNode: OverdueNode = {
          ...{ runtime: RED, node: this, config, service, schedule },
          ...{ journal, notes, guarded, now, signal },
        }
        const count = await lookForOverdue(overdueNode, asking, send)
        showResult(count > 0 ? { tone: 'good', key: 'sent', values: { count } } : { tone: 'idle', key: 'noneDue' })
      })

    const showFailure = (failure: unknown) => showResult(shownFailure(knownFailure(failure).code))
    const warnOf = (failure: unknown) => {
      showFailure(failure)
      this.warn(knownFailure(failure).message)
    }
    const lookAtIntervals = async (intervalMs: number) => {
      const schedule = scheduleOf(config)
      // A reminder that is sent while the nodes are made might reach no one.
      await started
      while (!signal.aborted) {
        await keepTrying(() => look(schedule, {}, this.send.bind(this)), { signal, onFailure: warnOf })
        await systemClock.sleep(spread(intervalMs, Math.random()), signal).catch(() => {})
      }
    }
    const started = flowsStarted(RED, signal).then(guarded.open)
    const intervalMs = minutesOf(config.interval)
    if (!service) showFailure(noService(config.service))
    else if (intervalMs > 0) lookAtIntervals(intervalMs).catch(warnOf)

    const stopTaken = service?.remindersTaken.listen(guarded.done)
    const take = async (message: Message, send: Send): Promise<void> => {
      const taskId = await notes.take(message, journal)
      if (taskId === undefined) await look(scheduleOf(config), message, send)
      else showResult({ tone: 'good', key: 'noted', taskId })
    }
    this.on('input', (message, send, done) => {
      take(message, send).then(
        () => done(),
        (failure) => {
          showFailure(failure)
          done(setFailure(message, failure))
        },
      )
    })
    this.on('close', (removed, done) => {
      stopTaken?.()
      connection.stop()
      closing.abort(stopped())
      guarded.close(removed && !nodesInFlows(RED)(this.id))
      const ended = lock('look', async () => {})
      service?.finish(ended)
      void ended.then(() => leaveService(service, this)).then(done)
    })
  })
}

/** Returns after how long a reminder is sent again that the flow has not taken over; with 0 minutes, not before the next start. */
function repeatOf({ redelivery, repeat }: Config): number {
  if (redelivery !== 'acknowledged') return CLAIM_MS
  return minutesOf(repeat) || Number.POSITIVE_INFINITY
}
