/**
 * Waits for the outcome of tasks, across deploys and restarts. lib/client/watch waits, over the journal; shared/wait holds the
 * messages and sends each through the output of its outcome.
 */
import { createGuardedSend } from './shared/accepted/guarded-send.ts'
import { migrated } from './shared/form/migration.ts'
import { adopters } from './shared/runtime/adopters.ts'
import { knownFailure, setFailure } from './shared/runtime/failures.ts'
import { flowsStarted } from './shared/runtime/flows-started.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { onceItWorks } from './shared/runtime/once-it-works.ts'
import { show, shownFailure } from './shared/runtime/status.ts'
import { leaveService, serviceOf } from './shared/service/connection.ts'
import { showConnection } from './shared/service/show-connection.ts'
import { type AdoptedWait, adoptWait } from './shared/wait/adopt.ts'
import { createCarry } from './shared/wait/carry.ts'
import { createHeldMessages } from './shared/wait/held-messages.ts'
import { openWatch } from './shared/wait/open-watch.ts'
import { takeMessage } from './shared/wait/take-message.ts'
import { showCount, type WaitNode } from './shared/wait/wait-node.ts'

export default function (RED: Runtime) {
  RED.nodes.registerType('countersign-wait', function (stored) {
    const config = migrated(stored)
    RED.nodes.createNode(this, stored)
    const service = serviceOf(RED, this, config.service)
    const carry = createCarry(RED, this, config)
    const held = createHeldMessages(this, carry)
    const watch = onceItWorks(() => openWatch(waitNode))
    const guarded = createGuardedSend({ runtime: RED, node: this, onCount: (count) => showSetAside(waitNode, count) })
    const own = { runtime: RED, node: this, config, service }
    const waitNode: WaitNode = { ...own, carry, held, watch, guarded, setAside: 0, stopTakingOver: () => {} }

    const size = async () => (await watch.current?.catch(() => undefined))?.size ?? 0
    const connection = showConnection(RED, this, service, async () => waitNode.setAside === 0 && (await size()) === 0)
    this.on('input', (message, send, done) => {
      connection.begin()
      takeMessage(waitNode, { message, send, done }).catch((failure) => {
        const error = setFailure(message, failure)
        show(RED, this, { ...shownFailure(error.code), at: Date.now() })
        done(error)
      })
    })
    const stopListening = service?.changes.listen(async (taskId) => {
      const opened = await watch.current?.catch(() => undefined)
      return opened?.nudge(taskId) ?? false
    })
    const stopTelling = service?.waits.add(async () => (await watch.current?.catch(() => undefined))?.tasks() ?? [])
    const stopTaken = service?.taken.listen(({ taskId, isOver }) => {
      if (!isOver) return
      guarded.done(String(taskId))
      void acknowledged(waitNode, taskId)
    })
    const leave =
      service &&
      adopters.add({
        kind: 'wait',
        nodeId: this.id,
        type: this.type,
        name: this.name || this.id,
        serviceId: service.id,
        async count() {
          const opened = await watch.current?.catch(() => undefined)
          return (opened?.size ?? 0) + (opened?.reported ?? 0)
        },
        adopt: (given) => adoptWait(waitNode, given as AdoptedWait),
      })
    const closing = new AbortController()
    // A service that cannot be reached now may be back in a minute; without a service there is nothing to wait for.
    const onFailure = (failure: unknown) => {
      show(RED, this, shownFailure(knownFailure(failure).code))
      if (!service) closing.abort()
    }
    const { signal } = closing
    // An outcome that comes while the nodes are made might reach no one.
    void flowsStarted(RED, signal).then(() => {
      guarded.open()
      return keepTrying(async () => void (await watch.get()), { signal, onFailure })
    })

    this.on('close', (removed, done) => {
      connection.stop()
      stopListening?.()
      stopTelling?.()
      stopTaken?.()
      leave?.()
      closing.abort()
      waitNode.stopTakingOver()
      guarded.close(removed && !nodesInFlows(RED)(this.id))
      const closed = close(waitNode).catch((failure) => this.warn(knownFailure(failure).message))
      service?.finish(closed)
      void closed.then(() => leaveService(service, this)).then(done)
    })
  })
}

/** The journal has it already, so a failure here costs one more look. */
async function acknowledged(waitNode: WaitNode, taskId: number): Promise<void> {
  const watch = await waitNode.watch.current?.catch(() => undefined)
  if (!watch || watch.reported === 0) return
  const before = watch.reported
  await watch.acknowledge(taskId).catch((failure) => waitNode.node.warn(knownFailure(failure).message))
  if (watch.reported < before)
    showCount(waitNode, watch, { tone: 'good', key: 'acknowledged' }, { taskId, at: Date.now() })
}

function showSetAside(waitNode: WaitNode, count: number): void {
  waitNode.setAside = count
  void waitNode.watch.current?.then((watch) => showCount(waitNode, watch, null)).catch(() => {})
}

/** The waits stay in the journal: when the node is removed, a person has another one adopt them, or discards them. */
async function close({ watch, held }: WaitNode): Promise<void> {
  const opened = await watch.current
  await opened?.close()
  held.finish()
}
