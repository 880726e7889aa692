/**
 * Keeps messages that a flow cannot use until someone has corrected, resent or discarded each. shared/held keeps them on the disk
 * and offers them to the sidebar, which does the same as messages to this node.
 */
import { systemClock } from '../lib/clock.ts'
import { sealOf } from './shared/carry/seal-of.ts'
import { warnsOnce } from './shared/carry/warns-once.ts'
import { queueOf } from './shared/database/journal-choice.ts'
import { onBeat } from './shared/database/where.ts'
import { migrated } from './shared/form/migration.ts'
import { askedOf } from './shared/held/asked.ts'
import { desks } from './shared/held/desks.ts'
import { type HeldQueue, openHeldQueue } from './shared/held/held-queue.ts'
import { createHeldStatus, type HeldStatus } from './shared/held/held-status.ts'
import { type HeldSettings, heldSettings } from './shared/held/settings.ts'
import { listenForTaken, taken } from './shared/intake/taken.ts'
import { adopters } from './shared/runtime/adopters.ts'
import { FlowError, knownFailure, setFailure } from './shared/runtime/failures.ts'
import { flowsStarted } from './shared/runtime/flows-started.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Message, Runtime, RuntimeNode, Send } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { onceItWorks } from './shared/runtime/once-it-works.ts'
import { removedWithContents } from './shared/runtime/removed-with-contents.ts'
import { RUN } from './shared/runtime/run.ts'
import { sharedText } from './shared/runtime/status.ts'

/** How often to look for messages that have been held for too long. */
const LOOK_MS = 3_600_000

export default function (RED: Runtime) {
  RED.nodes.registerType('countersign-held', function (stored) {
    const config = migrated(stored)
    RED.nodes.createNode(this, stored)
    const settings = heldSettings(config)
    const status = createHeldStatus(RED, this, settings.maxDays)
    const opened = onceItWorks(async () => openDesk({ runtime: RED, node: this, settings, status }))
    const closing = new AbortController()
    const { signal } = closing

    this.on('input', (message, send, done) => {
      const answered = opened.get().then(({ queue }) => answer(queue, message, send))
      answered.then(
        () => done(),
        (failure) => {
          const error = setFailure(message, failure)
          status.failed(error)
          done(error)
        },
      )
    })
    const onFailure = (failure: unknown) => status.failed(knownFailure(failure))
    const resume = async () => (await opened.get()).resume()
    // A message resent while the nodes are still being made might reach no node.
    const opening = flowsStarted(RED, signal).then(() => keepTrying(resume, { signal, onFailure }))

    this.on('close', (removed, done) => {
      closing.abort()
      const isDeleted = removed && !nodesInFlows(RED)(this.id)
      void opening
        .then(() => opened.current)
        .then((desk) => desk?.close(isDeleted))
        .catch((failure) => this.error(new FlowError(knownFailure(failure))))
        .then(done)
    })
  })
}

interface DeskOptions {
  runtime: Runtime
  node: RuntimeNode
  settings: HeldSettings
  status: HeldStatus
}

/** Opens the messages of a node, and offers them to the sidebar. Throws the NodeError CANNOT_KEEP. */
function openDesk({ runtime, node, settings, status }: DeskOptions) {
  const where = queueOf(runtime, 'held', node.id)
  const queue = openHeldQueue({
    where,
    nodeId: node.id,
    run: RUN,
    seal: sealOf(runtime)(),
    clock: systemClock,
    ...settings,
    endedReason: sharedText(runtime, 'held.endedNodeRed'),
    emit: (message) => node.send(message),
    onChanged: () => status.tell(queue),
    onDropped: warnsOnce((names) => node.warn(runtime._('warning.dropped', { names }))),
    onError: (failure) => node.error(new FlowError(knownFailure(failure))),
  })
  const stopListening = listenForTaken(node.id, queue.taken)
  const name = node.name || node.id
  const leaveSidebar = desks.add({ nodeId: node.id, name, queue })
  const leaveAdopters = adopters.add({
    kind: 'held',
    nodeId: node.id,
    type: node.type,
    name,
    serviceId: null,
    count: () => queue.count,
    adopt: (message) => queue.hold(message as Message),
  })
  let cancelLook = () => {}
  const look = () => {
    status.tell(queue)
    cancelLook = systemClock.after(LOOK_MS, look)
  }
  look()
  let stopTakingOver = () => {}
  let isClosed = false
  return {
    queue,
    /** Sends again what was resent before a crash, then what other processes leave. Rejects with the NodeError CANNOT_KEEP. */
    async resume() {
      await queue.resendLeftOver()
      if (isClosed) return
      stopTakingOver()
      stopTakingOver = onBeat(where, () => {
        queue.resendLeftOver().then(
          () => isClosed || status.tell(queue),
          (failure) => isClosed || status.failed(knownFailure(failure)),
        )
      })
    },
    close(isDeleted: boolean) {
      isClosed = true
      stopTakingOver()
      cancelLook()
      leaveSidebar()
      leaveAdopters()
      stopListening()
      const { count } = queue
      queue.close(isDeleted)
      if (isDeleted && count > 0) node.warn(removedWithContents(runtime, 'held', count))
    },
  }
}

async function answer(queue: HeldQueue, message: Message, send: Send): Promise<void> {
  const asked = askedOf(message)
  if (asked.action === 'hold') {
    await queue.hold(message)
    taken(message)
  } else if (asked.action === 'list') send([null, { ...message, payload: queue.list() }])
  else if (asked.action === 'edit') await queue.edit(asked.heldId, asked.payload)
  else await queue[asked.action](asked.heldId)
}
