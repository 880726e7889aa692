/**
 * Accepts a message of someone who waits for an answer, as over HTTP: stores it, then answers. shared/intake keeps it on the disk, from
 * where it goes into the flow until another node takes it over.
 */
import { systemClock } from '../lib/clock.ts'
import { sealOf } from './shared/carry/seal-of.ts'
import { queueOf } from './shared/database/journal-choice.ts'
import { migrated } from './shared/form/migration.ts'
import { createSetAside } from './shared/held/set-aside.ts'
import { adoptInto } from './shared/intake/adopt.ts'
import { answerOf, answerOfHeld, type HttpAnswer } from './shared/intake/http-answer.ts'
import { type Intake, openIntake } from './shared/intake/intake.ts'
import { keepSettings } from './shared/intake/keep-settings.ts'
import { FlowError, knownFailure } from './shared/runtime/failures.ts'
import { flowsStarted } from './shared/runtime/flows-started.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Message, Runtime } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { removedWithContents } from './shared/runtime/removed-with-contents.ts'
import { type Shown, show, shownFailure, shownSetAside } from './shared/runtime/status.ts'

export default function (RED: Runtime) {
  RED.nodes.registerType('countersign-accept', function (stored) {
    const config = migrated(stored)
    RED.nodes.createNode(this, stored)
    const closing = new AbortController()
    const { signal } = closing
    let intake: Intake | undefined
    let leave = () => {}
    let count = 0
    let asideCount = 0
    const received = (): Shown => shownSetAside(asideCount) ?? { tone: 'good', key: 'received', values: { count } }
    const aside = createSetAside({
      runtime: RED,
      node: this,
      emit: (message) => this.send([message, null]),
      onCount: (held) => {
        asideCount = held
        show(RED, this, received())
      },
    })

    const onFailure = (failure: unknown) => {
      const known = knownFailure(failure)
      show(RED, this, shownFailure(known.code))
      this.error(new FlowError(known))
    }
    const open = async () => {
      await aside.resume()
      intake = openIntake({
        ...keepSettings(config),
        file: queueOf(RED, 'intake', this.id),
        nodeId: this.id,
        seal: sealOf(RED)(),
        clock: systemClock,
        emit: (message) => this.send([message, null]),
        setAside: aside.hold,
        onDropped: () => {},
        onError: onFailure,
      })
      leave = adoptInto(this, intake)
      show(RED, this, received())
    }
    // A message that comes while the nodes are made might reach no one.
    const opening = flowsStarted(RED, signal).then(() => keepTrying(open, { signal, onFailure }))

    const accept = async (message: Message): Promise<HttpAnswer> => {
      if (Array.isArray(message.held)) return answerOfHeld(message)
      try {
        const { req: _, res: __, ...kept } = message
        const put = (await intake?.accept(kept, bytesOf(message))) ?? 'down'
        if (put === 'new') count += 1
        show(RED, this, put === 'full' ? shownFailure('INTAKE_FULL') : received())
        return answerOf(put)
      } catch (failure) {
        onFailure(failure)
        return answerOf('down')
      }
    }
    this.on('input', (message, send, done) => {
      void accept(message).then((answer) => {
        send([null, { ...message, ...answer }])
        done()
      })
    })

    this.on('close', (removed, done) => {
      closing.abort()
      const isDeleted = removed && !nodesInFlows(RED)(this.id)
      void opening
        .then(async () => {
          leave()
          const waiting = intake?.waiting ?? 0
          await intake?.close(isDeleted)
          if (isDeleted && waiting > 0) this.warn(removedWithContents(RED, 'intake', waiting))
        })
        .finally(() => aside.close(isDeleted))
        .catch(onFailure)
        .then(done)
    })
  })
}

/**
 * The bytes that distinguish a message from others. Two requests may differ in their method and URL alone, as `POST
 * /orders/1/cancel` does.
 */
function bytesOf({ payload, req }: Message): Uint8Array {
  const body = Buffer.isBuffer(payload)
    ? payload
    : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload ?? null))
  const { method, originalUrl } = (req ?? {}) as { method?: unknown; originalUrl?: unknown }
  return method === undefined ? body : Buffer.concat([Buffer.from(`${method} ${originalUrl}\n`), body])
}
