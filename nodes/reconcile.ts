/**
 * Sends the outcomes that no one has recorded into a flow, on a timer or on a message. lib/client/unrecorded finds and claims
 * them; shared/reconcile sends each through the output of its status.
 */
import { spread } from '../lib/back-off.ts'
import { systemClock } from '../lib/clock.ts'
import { createKeyLock } from '../lib/journal/key-lock.ts'
import { createGuardedSend } from './shared/accepted/guarded-send.ts'
import { minutesOf } from './shared/form/form-values.ts'
import { migrated } from './shared/form/migration.ts'
import { acknowledgeMessage } from './shared/reconcile/acknowledge.ts'
import type { ReconcileNode } from './shared/reconcile/reconcile-node.ts'
import { sendOutcome, sendUnrecorded } from './shared/reconcile/send-unrecorded.ts'
import { knownFailure, setFailure, stopped } from './shared/runtime/failures.ts'
import { flowsStarted } from './shared/runtime/flows-started.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { show, shownFailure, shownSetAside } from './shared/runtime/status.ts'
import { leaveService, noService, serviceOf } from './shared/service/connection.ts'
import { showConnection } from './shared/service/show-connection.ts'

export default function (RED: Runtime) {
  RED.nodes.registerType('countersign-reconcile', function (stored) {
    const config = migrated(stored)
    RED.nodes.createNode(this, stored)
    const service = serviceOf(RED, this, config.service)
    const closing = new AbortController()
    const { signal } = closing
    const onCount = (count: number) => {
      reconcileNode.setAside = count
      show(RED, this, shownSetAside(count))
    }
    const guarded = createGuardedSend({ runtime: RED, node: this, onCount })
    const reconcileNode: ReconcileNode = { runtime: RED, node: this, config, service, guarded, setAside: 0, signal }
    const lock = createKeyLock()
    /** One search after the other, however many messages ask for one. */
    const search: typeof sendUnrecorded = (...given) => {
      connection.begin()
      return lock('search', () => sendUnrecorded(...given))
    }
    const connection = showConnection(RED, this, service, async () => reconcileNode.setAside === 0)

    const showFailure = (failure: unknown) =>
      show(RED, this, { ...shownFailure(knownFailure(failure).code), at: Date.now() })
    const searchAtIntervals = async (intervalMs: number) => {
      const onFailure = (failure: unknown) => {
        showFailure(failure)
        this.warn(knownFailure(failure).message)
      }
      while (!signal.aborted) {
        await keepTrying(() => search(reconcileNode, {}, this.send.bind(this)), { signal, onFailure })
        await systemClock.sleep(spread(intervalMs, Math.random()), signal).catch(() => {})
      }
    }
    const intervalMs = minutesOf(config.interval)
    if (!service) showFailure(noService(config.service))
    else if (intervalMs > 0) void searchAtIntervals(intervalMs)

    const stopTaking = service?.takers.add({
      name: this.name || this.id,
      send: (outcome) => {
        const sent = sendOutcome(reconcileNode, outcome, {}, this.send.bind(this))
        sent.catch((failure) => this.warn(knownFailure(failure).message))
      },
    })

    const stopTaken = service?.taken.listen(({ taskId, isOver }) => {
      if (isOver) guarded.done(String(taskId))
    })
    void flowsStarted(RED, signal).then(guarded.open)
    this.on('input', (message, send, done) => {
      const work = message.acknowledge === true ? acknowledgeMessage : search
      work(reconcileNode, message, send).then(
        () => done(),
        (failure) => {
          showFailure(failure)
          done(setFailure(message, failure))
        },
      )
    })
    this.on('close', (removed, done) => {
      stopTaking?.()
      stopTaken?.()
      connection.stop()
      closing.abort(stopped())
      guarded.close(removed && !nodesInFlows(RED)(this.id))
      const ended = lock('search', async () => {})
      service?.finish(ended)
      void ended.then(() => leaveService(service, this)).then(done)
    })
  })
}
