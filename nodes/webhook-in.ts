/**
 * Starts a flow with each status change that the service reports. The bytes come from shared/route.ts, are verified and handed
 * over once by lib/webhook, and the subscription is kept by shared/subscription.ts.
 */
import type { StatusEvent } from '../lib/contract/event.ts'
import { createOnceStore } from '../lib/webhook/once-store.ts'
import { createReceiver } from '../lib/webhook/receiver.ts'
import { WebhookVerificationError } from '../lib/webhook/verification-error.ts'
import { migrated } from './shared/form/migration.ts'
import { knownFailure, NodeError } from './shared/runtime/failures.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import { loopbackUrl } from './shared/runtime/loopback.ts'
import type { Config, Runtime } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { answerBelow, claimPath, fullPath, type Receive } from './shared/runtime/route.ts'
import { show, shownFailure } from './shared/runtime/status.ts'
import { leaveService, noService, serviceOf } from './shared/service/connection.ts'
import { endSubscription, keepSubscription, SUBSCRIPTIONS } from './shared/webhook/subscription.ts'

export default function (RED: Runtime) {
  answerBelow(RED)
  RED.nodes.registerType(
    'countersign-webhook-in',
    function (stored) {
      const config = migrated(stored)
      RED.nodes.createNode(this, stored)
      const service = serviceOf(RED, this, config.service)
      const byHand = config.subscribe === false ? secretsByHand(this.credentials.secrets) : undefined
      const trouble = service ? troubleWith(RED, config, byHand) : noService(config.service)
      if (!service || trouble) {
        const { code, message } = trouble ?? noService(config.service)
        show(RED, this, shownFailure(code))
        this.warn(message)
        this.on('close', (_removed, done) => {
          leaveService(service, this)
          done()
        })
        return
      }
      const going = new AbortController()
      const { signal } = going
      let secrets: readonly string[] = byHand ?? []
      let receive: Receive = async () => notReady
      let opening = Promise.resolve()
      let end = async () => {}

      const handOver = (event: StatusEvent) => {
        service.wake(event.taskId)
        const wanted = config.statuses as string[] | undefined
        if (!wanted?.length || wanted.includes(event.status)) this.send(messageOf(event))
      }

      const open = async () => {
        const store = createOnceStore(await service.journal(`events-${this.id}`))
        const receiver = createReceiver({
          secrets: () => secrets,
          secretEncoding: config.secretEncoding === 'utf8' ? 'utf8' : 'base64',
          toleranceSeconds: Number(config.tolerance) || 300,
          store,
          onEvent: handOver,
          onError: (failure) => this.warn(reasonOf(failure)),
        })
        if (!byHand) {
          const { client } = await service.connect()
          const url =
            String(config.publicUrl || '') ||
            (await loopbackUrl(RED, fullPath(RED.httpNode, String(config.path)), signal))
          const wanted = { client, journal: await service.journal(SUBSCRIPTIONS), owner: this.id }
          end = () => endSubscription(wanted)
          secrets = await keepSubscription({ ...wanted, url, signal })
        }
        await receiver.resume()
        receive = (payload, headers) => receiver.receive({ payload, headers })
        show(RED, this, { tone: 'good', key: 'listening' })
      }

      const start = () => {
        show(RED, this, { tone: 'waiting', key: 'subscribing' })
        const onFailure = (failure: unknown) => {
          show(RED, this, shownFailure(knownFailure(failure).code))
          this.warn(reasonOf(failure))
        }
        opening = keepTrying(open, { signal, onFailure })
      }

      const claim = claimPath(RED, String(config.path), {
        receive: (payload, headers) => receive(payload, headers),
        onTurn: (isOurs) => (isOurs ? start() : show(RED, this, { tone: 'bad', key: 'pathInUse' })),
      })
      if (RED.settings.httpNodeAuth) this.warn(RED._('warning.httpNodeAuth'))

      this.on('close', (removed, done) => {
        going.abort()
        claim.release()
        const ended = opening
          .then(() => (removed && !nodesInFlows(RED)(this.id) ? end() : undefined))
          .catch((failure) => this.warn(reasonOf(failure)))
        service.finish(ended)
        void ended.then(() => leaveService(service, this)).then(done)
      })
    },
    { credentials: { secrets: { type: 'password' } } },
  )
}

/** Before the secrets are known nothing can be verified; the service tries again. */
const notReady = {
  status: 503,
  headers: { 'content-type': 'application/json', 'retry-after': '5' },
  body: JSON.stringify({ errors: ['NOT_READY'] }),
}

/** What keeps the node from ever answering, until somebody mends the settings. */
function troubleWith(RED: Runtime, config: Config, secrets: string[] | undefined): NodeError | undefined {
  if (RED.settings.httpNodeRoot === false || !RED.httpNode)
    return new NodeError('NO_HTTP_ROOT', 'Node-RED has no HTTP root (httpNodeRoot is false), so nobody can call it.')
  if (String(config.path ?? '').replace(/\//g, '') === '')
    return new NodeError('NO_PATH', 'No path is set. Open the node and enter the path at which the service calls.')
  if (secrets?.length === 0)
    return new NodeError('NO_SECRET', 'No secret is set. Open the node and enter the secret of the subscription.')
  return undefined
}

const reasonOf = (failure: unknown) =>
  failure instanceof WebhookVerificationError ? failure.message : knownFailure(failure).message

const secretsByHand = (text: string | undefined) => (text ?? '').split(/\s+/).filter(Boolean)

const messageOf = (event: StatusEvent) => {
  const { eventId, taskId, status, statusReason = null, documentId = null, occurredAtUtc } = event
  return { topic: status, payload: event, eventId, taskId, status, statusReason, documentId, occurredAtUtc }
}
