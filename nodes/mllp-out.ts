/**
 * Sends HL7 messages to a receiver over MLLP, in their order, each until it is answered. shared/mllp keeps them on the disk and
 * delivers them over the connection of lib/hl7/mllp.
 */
import { systemClock } from '../lib/clock.ts'
import { encodeMessage } from '../lib/hl7/character-set.ts'
import { Hl7Error } from '../lib/hl7/hl7-error.ts'
import { createMllpSender } from '../lib/hl7/mllp/send.ts'
import { sealOf } from './shared/carry/seal-of.ts'
import { warnsOnce } from './shared/carry/warns-once.ts'
import { queueOf } from './shared/database/journal-choice.ts'
import { migrated } from './shared/form/migration.ts'
import { createSetAside } from './shared/held/set-aside.ts'
import { type AdoptedMessage, throwIfFull } from './shared/intake/adopt.ts'
import { taken } from './shared/intake/taken.ts'
import { addressOf } from './shared/mllp/deliver.ts'
import { deliveryStatus } from './shared/mllp/delivery-status.ts'
import { createJudgements } from './shared/mllp/judgements.ts'
import { type Outbox, openOutbox } from './shared/mllp/outbox.ts'
import { outSettings } from './shared/mllp/settings.ts'
import { adopters } from './shared/runtime/adopters.ts'
import { FlowError, InputError, knownFailure, NodeError, setFailure } from './shared/runtime/failures.ts'
import { flowsStarted } from './shared/runtime/flows-started.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Message, Runtime } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { onceItWorks } from './shared/runtime/once-it-works.ts'
import { removedWithContents } from './shared/runtime/removed-with-contents.ts'
import { sendOn } from './shared/runtime/send-on.ts'

export default function (RED: Runtime) {
  RED.nodes.registerType('countersign-mllp-out', function (stored) {
    const config = migrated(stored)
    RED.nodes.createNode(this, stored)
    const closing = new AbortController()
    const { signal } = closing
    const onError = (failure: unknown) => this.error(new FlowError(knownFailure(failure)))
    const status = deliveryStatus(RED, this)
    const warnDropped = warnsOnce((names) => this.warn(RED._('warning.dropped', { names })))
    const aside = createSetAside({
      runtime: RED,
      node: this,
      emit: (message) =>
        void put(message)
          .then(() => taken(message))
          .catch(onError),
      onCount: status.setAside,
    })
    const sending = { runtime: RED, node: this, send: this.send.bind(this) }
    const judgements = createJudgements()
    let end = async (_isDeleted: boolean) => {}

    const opened = onceItWorks(async (): Promise<Outbox> => {
      const { host, port, tls, answerTimeoutMs, maxTries, maxBytes } = outSettings(RED, config)
      const sender = createMllpSender({
        host,
        port,
        answerTimeoutMs,
        ...(tls && { tls }),
        onUnasked: (frame) => {
          const judgement = judgements.take(frame)
          if (judgement === 'stray') return status.stray()
          if (judgement === 'accepted') return
          const { controlId, code, message } = judgement
          this.warn(RED._('warning.refusedLater', { code, controlId }))
          const reason = `The receiver answered ${code} after it had confirmed the receipt of the message.`
          const refused = { accepted: false, controlId, answerCode: code, reason, reasonCode: 'REJECTED_LATER' }
          sendOn(sending, 1, { ...message, ...refused }, { tone: 'bad', key: 'refused' })
        },
      })
      const outbox = openOutbox({
        file: queueOf(RED, 'outbox', this.id),
        nodeId: this.id,
        seal: sealOf(RED)(),
        clock: systemClock,
        random: Math.random,
        sender,
        maxBytes,
        maxTries,
        onDropped: warnDropped,
        setAside: aside.hold,
        onTry: judgements.begin,
        onTryFailed: (failure) => status.tryFailed(failure, outbox.count),
        onDelivery: (message, delivery) => {
          const { isAccepted, code, failure } = delivery
          const why = failure && { reason: failure.reason, reasonCode: failure.code }
          Object.assign(message, { accepted: isAccepted, answerCode: code, ...why })
          judgements.end(message, delivery)
          sendOn(sending, isAccepted ? 0 : 1, message, { tone: 'good', key: 'delivered' })
          status.delivered(delivery, outbox.count - 1)
        },
        onError,
      })
      const leave = adopters.add({
        kind: 'outbox',
        nodeId: this.id,
        type: this.type,
        name: this.name || this.id,
        serviceId: null,
        count: () => outbox.count,
        adopt: async (given) => throwIfFull(await outbox.put((given as AdoptedMessage).message)),
      })
      end = async (isDeleted) => {
        leave()
        const { count } = outbox
        const closed = outbox.close(isDeleted)
        sender.close()
        await closed
        if (isDeleted && count > 0) this.warn(removedWithContents(RED, 'outbox', count))
      }
      status.queued(outbox.count)
      return outbox
    })

    const put = async (message: Message) => {
      const bytes = bytesOf(message)
      const outbox = await opened.get()
      if ((await outbox.put({ ...message, payload: bytes })) === 'full') throw full()
      status.queued(outbox.count)
    }
    this.on('input', (message, _send, done) => {
      put(message).then(
        () => done(),
        (failure) => done(setFailure(message, failure)),
      )
    })
    const onFailure = (failure: unknown) => status.failed(knownFailure(failure))
    // An answer that comes while the nodes are made might reach no one.
    const opening = flowsStarted(RED, signal).then(() =>
      keepTrying(async () => void (await opened.get()), { signal, onFailure }).then(async () => {
        if (!signal.aborted) await aside.resume()
      }),
    )
    this.on('close', (removed, done) => {
      closing.abort()
      const isDeleted = removed && !nodesInFlows(RED)(this.id)
      void opening
        .then(() => end(isDeleted))
        .finally(() => aside.close(isDeleted))
        .catch(onError)
        .then(done)
    })
  })
}

/** Throws an InputError when the payload is no message that can be answered. */
function bytesOf({ payload }: Message): Buffer {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload))
    throw new InputError(['payload: an HL7 message as a Buffer or text'])
  try {
    const bytes = typeof payload === 'string' ? Buffer.from(encodeMessage(payload, 'utf-8')) : payload
    addressOf(bytes)
    return bytes
  } catch (failure) {
    if (!(failure instanceof Hl7Error)) throw failure
    throw new InputError([`payload: ${failure.message}`])
  }
}

const full = () =>
  new NodeError(
    'OUTBOX_FULL',
    'As many messages as the form allows wait for the receiver. See why it does not take them, or allow more; then send the message again.',
  )
