/**
 * Starts a flow with each status change that the service reports. The bytes come from shared/runtime/route.ts; shared/webhook
 * verifies them, hands each event over once, and keeps the subscription.
 */
import type { StatusEvent } from '../lib/contract/event.ts'
import { WebhookVerificationError } from '../lib/webhook/verification-error.ts'
import { createGuardedSend } from './shared/accepted/guarded-send.ts'
import { migrated } from './shared/form/migration.ts'
import { knownFailure } from './shared/runtime/failures.ts'
import { flowsStarted } from './shared/runtime/flows-started.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Runtime, RuntimeNode } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { answerBelow, claimPath } from './shared/runtime/route.ts'
import { type Shown, show, shownFailure, shownSetAside } from './shared/runtime/status.ts'
import { leaveService, noService, type ServiceNode, serviceOf } from './shared/service/connection.ts'
import { createDocumentIds } from './shared/webhook/document-ids.ts'
import { messageOf } from './shared/webhook/event-message.ts'
import { createEventReceiver } from './shared/webhook/event-receiver.ts'
import { receiverStatus } from './shared/webhook/receiver-status.ts'
import { settingsProblem } from './shared/webhook/settings-problem.ts'

export default function (RED: Runtime) {
  answerBelow(RED)
  RED.nodes.registerType(
    'countersign-webhook-in',
    function (stored) {
      const config = migrated(stored)
      RED.nodes.createNode(this, stored)
      const service = serviceOf(RED, this, config.service)
      const secrets = config.subscribe === false ? secretsByHand(this.credentials.secrets) : undefined
      if (!service) return stayIdle(RED, this, null, noService(config.service))
      const problem = settingsProblem(RED, config, secrets)
      if (problem) return stayIdle(RED, this, service, problem)

      const closing = new AbortController()
      const { signal } = closing
      const onError = (failure: unknown) => {
        if (!signal.aborted) this.warn(reasonOf(failure))
      }
      const status = receiverStatus(RED, this)
      let asideCount = 0
      const listening = (): Shown => shownSetAside(asideCount) ?? { tone: 'good', key: 'listening' }
      const guarded = createGuardedSend({
        runtime: RED,
        node: this,
        onCount(count) {
          asideCount = count
          status.show(listening())
        },
      })
      const documentIdOf = createDocumentIds(service, { signal, onError })
      const onEvent = async (event: StatusEvent) => {
        const { taskId } = event
        // Before the nodes that wait are notified.
        service.eventTimes.note(event)
        void service.changes.tell(taskId)
        const message = messageOf(event, config)
        if (!message) return
        const ids = config.readsTask ? await documentIdOf(taskId) : {}
        const sent = { ...message, ...ids, signatureService: service.place }
        const id = event.eventId.toLowerCase()
        const passed = await guarded.pass({ id, message: sent, output: 0, send: () => this.send(sent) })
        if (passed === 'sent') status.show({ ...listening(), taskId, at: Date.now() })
      }
      const node = { runtime: RED, node: this, config, service }
      const receiver = createEventReceiver({ ...node, secrets, onEvent, onError, signal })
      let stopListening = () => {}
      const open = async () => {
        await receiver.open()
        status.show(listening())
        // With secrets entered by hand, a node that reads no tasks calls no one.
        if (!secrets || config.readsTask) stopListening = service.connection.listen(status.connection)
      }
      const onFailure = (failure: unknown) => {
        status.show(shownFailure(knownFailure(failure).code))
        onError(failure)
      }
      let opening = Promise.resolve()
      // An event that comes while the nodes are made might reach no one.
      const started = flowsStarted(RED, signal).then(guarded.open)
      const claim = claimPath(RED, String(config.path), {
        receive: receiver.receive,
        onTurn: (isOurs) => {
          status.show(isOurs ? { tone: 'waiting', key: 'subscribing' } : { tone: 'bad', key: 'pathInUse' })
          if (isOurs) opening = started.then(() => keepTrying(open, { signal, onFailure }))
        },
      })
      if (RED.settings.httpNodeAuth) this.warn(RED._('warning.httpNodeAuth'))

      this.on('close', (removed, done) => {
        const isRemoved = removed && !nodesInFlows(RED)(this.id)
        stopListening()
        closing.abort()
        claim.release()
        guarded.close(isRemoved)
        const ended = Promise.all([opening, receiver.close()])
          .then(() => (isRemoved ? receiver.endSubscription() : undefined))
          .catch((failure) => this.warn(reasonOf(failure)))
        service.finish(ended)
        void ended.then(() => leaveService(service, this)).then(done)
      })
    },
    { credentials: { secrets: { type: 'password' } } },
  )
}

/** Shows why the node can never answer. It does nothing else. */
function stayIdle(runtime: Runtime, node: RuntimeNode, service: ServiceNode | null, problem: Error & { code: string }) {
  show(runtime, node, shownFailure(problem.code))
  node.warn(problem.message)
  node.on('close', (_removed, done) => {
    leaveService(service, node)
    done()
  })
}

const reasonOf = (failure: unknown) =>
  failure instanceof WebhookVerificationError ? failure.message : knownFailure(failure).message

const secretsByHand = (text: string | undefined) => (text ?? '').split(/\s+/).filter(Boolean)
