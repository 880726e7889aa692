/**
 * Starts a flow with each HL7 message that comes over MLLP. lib/hl7/mllp takes the frames; shared/mllp answers them once shared/intake
 * has them on the disk, from where they go into the flow until another node takes each over. What no flow can use goes from there to
 * shared/held, where a person corrects it.
 */
import { randomUUID } from 'node:crypto'
import { systemClock } from '../lib/clock.ts'
import { type MllpServer, serveMllp } from '../lib/hl7/mllp/serve.ts'
import { sealOf } from './shared/carry/seal-of.ts'
import { queueOf } from './shared/database/journal-choice.ts'
import { migrated } from './shared/form/migration.ts'
import { createSetAside } from './shared/held/set-aside.ts'
import { adoptInto } from './shared/intake/adopt.ts'
import { type Intake, openIntake } from './shared/intake/intake.ts'
import { listenFailure } from './shared/mllp/listen-failure.ts'
import { createRareWarnings } from './shared/mllp/rare-warnings.ts'
import { createReceive } from './shared/mllp/receive.ts'
import { createResend } from './shared/mllp/resend.ts'
import { inSettings } from './shared/mllp/settings.ts'
import { storingStatus } from './shared/mllp/storing-status.ts'
import { FlowError, knownFailure } from './shared/runtime/failures.ts'
import { flowsStarted } from './shared/runtime/flows-started.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Message, Runtime } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { removedWithContents } from './shared/runtime/removed-with-contents.ts'

/** How many messages are held that no flow can use. */
const MOST_HELD = 10_000

export default function (RED: Runtime) {
  RED.nodes.registerType('countersign-mllp-in', function (stored) {
    const config = migrated(stored)
    RED.nodes.createNode(this, stored)
    const status = storingStatus(RED, this, systemClock)
    const warnings = createRareWarnings<'held' | 'refused' | 'unframed'>(systemClock, (kind, values) =>
      this.warn(RED._(`warning.${kind}`, values)),
    )
    const closing = new AbortController()
    const { signal } = closing
    const onError = (failure: unknown) => this.error(new FlowError(knownFailure(failure)))
    const aside = createSetAside({
      runtime: RED,
      node: this,
      emit: (message) => resend(message),
      onCount: status.setAside,
    })
    let intake: Intake | undefined
    let leave = () => {}
    let server: MllpServer | undefined
    let resend = (_message: Message) => {}

    const open = async () => {
      const { port, host, tls, admits, limitBytes, processingIds, maxBytes, repeatMs, ...limits } = inSettings(
        RED,
        config,
      )
      const opened = openIntake({
        file: queueOf(RED, 'intake', this.id),
        nodeId: this.id,
        seal: sealOf(RED)(),
        clock: systemClock,
        maxBytes,
        repeatMs,
        emit: (message) => (isHeld(message) ? aside.holdFor(message, message.held) : this.send(message)),
        setAside: aside.hold,
        onDropped: () => {},
        onError,
      })
      const receive = createReceive({
        intake: opened,
        limitBytes,
        processingIds,
        now: () => new Date(),
        newId: randomUUID,
        hasRoomToHold: () => aside.hasRoom({ messages: MOST_HELD, bytes: maxBytes }),
        onStored: status.stored,
        onHeld: (reason) => warnings.add('held', 1, { reason }),
        onRefused(reason, address) {
          status.messageRefused()
          warnings.add('refused', 1, { reason, address })
        },
        onUnframed(bytes, address) {
          status.unframed(bytes)
          warnings.add('unframed', bytes, { address })
        },
      })
      resend = createResend({ intake: opened, processingIds, aside, emit: (message) => this.send(message), onError })
      try {
        await aside.resume()
        server = await serveMllp({
          port,
          admits,
          limitBytes,
          ...limits,
          ...(host !== undefined && { host }),
          ...(tls && { tls }),
          onFrame: receive,
          onConnections: status.connected,
          onRefused: status.connectionRefused,
          onError: (failure) => this.warn(RED._('warning.connection', { reason: reasonOf(failure) })),
        })
      } catch (failure) {
        await opened.close(false)
        throw listenFailure(failure, port)
      }
      intake = opened
      leave = adoptInto(this, opened)
      status.listening(port)
    }
    let last: string | undefined
    const onFailure = (failure: unknown) => {
      const known = knownFailure(failure)
      status.failed(known)
      if (known.message !== last) onError(known)
      last = known.message
    }
    // A message that comes while the nodes are made might reach no one.
    const opening = flowsStarted(RED, signal).then(() => keepTrying(open, { signal, onFailure }))

    this.on('close', (removed, done) => {
      closing.abort()
      status.stopped()
      warnings.stop()
      const isDeleted = removed && !nodesInFlows(RED)(this.id)
      void opening
        .then(() => server?.stop())
        .then(async () => {
          leave()
          const waiting = intake?.waiting ?? 0
          await intake?.close(isDeleted)
          if (isDeleted && waiting > 0) this.warn(removedWithContents(RED, 'intake', waiting))
        })
        .finally(() => aside.close(isDeleted))
        .catch(onError)
        .then(done)
    })
  })
}

const isHeld = (message: Message): message is Message & { held: string[] } => Array.isArray(message.held)

/** Codes of Node.js, and our own texts, hold nothing of a message; others might. */
function reasonOf(failure: unknown): string {
  const { code, message } = failure as NodeJS.ErrnoException
  return code ?? message
}
