/**
 * The configuration node: a real host, or the embedded service. It owns what the nodes of one service share: the connection,
 * the journal, and the news that a task has changed. The key goes into the request header and nowhere else.
 */
import { join } from 'node:path'
import { editorWords } from './shared/editor-words.ts'
import { migrated } from './shared/form/migration.ts'
import { answerQuestions } from './shared/runtime/admin.ts'
import { knownFailure, NodeError } from './shared/runtime/failures.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { connectEmbedded, connectHost, placeOf, settingsOf } from './shared/service/connect.ts'
import type { Connection, ServiceNode } from './shared/service/connection.ts'
import type { ProxyConfig, TlsConfig } from './shared/service/host.ts'
import { createJournals } from './shared/service/journals.ts'
import { endLeftBehind } from './shared/webhook/subscription.ts'

export default function (RED: Runtime) {
  answerQuestions(RED)
  RED.nodes.registerType(
    'countersign-service',
    function (stored) {
      const config = migrated(stored)
      RED.nodes.createNode(this, stored)
      const service = this as ServiceNode
      const folder = join(RED.settings.userDir ?? '.', 'countersign')
      const settings = settingsOf(config, folder)
      const journals = createJournals(folder, service.id)
      const listeners = new Set<(taskId: number) => void>()
      const unfinished = new Set<Promise<unknown>>()
      let release = async () => {}
      let connecting: Promise<Connection> | undefined

      /** Without the settings that were chosen, calls would go another way than they were meant to. */
      const chosen = <T>(id: unknown, code: string, what: string): T | null => {
        const node = RED.nodes.getNode(id) as T | null
        if (!id || node) return node
        throw new NodeError(code, `The chosen ${what} is disabled or was deleted. Enable it, or choose another one.`)
      }

      const connect = async () => {
        if (settings.embedded) {
          const embedded = await connectEmbedded(settings, journals)
          release = embedded.release
          return embedded.connection
        }
        const tls = chosen<TlsConfig>(config.tls, 'NO_TLS', 'TLS configuration')
        const proxy = chosen<ProxyConfig>(config.proxy, 'NO_PROXY', 'proxy')
        return connectHost(settings, { apiKey: service.credentials.apiKey, tls, proxy }, journals)
      }

      service.users = {}
      service.journal = (namespace) => journals.open(`${namespace}-${placeOf(settings)}`)
      service.connect = () => {
        connecting ??= connect().catch((failure) => {
          connecting = undefined
          throw knownFailure(failure)
        })
        return connecting
      }
      service.onChange = (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      }
      service.wake = (taskId) => {
        for (const listener of listeners) listener(taskId)
      }
      service.finish = (work) => unfinished.add(work)
      service.connect().catch((failure) => service.error(failure))

      const going = new AbortController()
      const { signal } = going
      /** Whether the service can be reached is told by the nodes that use it. */
      const tidy = () =>
        service.finish(
          keepTrying(() => endLeftBehind(service, nodesInFlows(RED), signal), { signal, onFailure: () => {} }),
        )
      RED.events.on('flows:started', tidy)

      service.on('close', (_removed, done) => {
        going.abort()
        RED.events.removeListener('flows:started', tidy)
        void Promise.allSettled([connecting, ...unfinished])
          .then(() => release())
          .then(() => journals.close())
          .catch((failure) => service.error(knownFailure(failure)))
          .then(done)
      })
    },
    { credentials: { apiKey: { type: 'password' } }, settings: editorWords },
  )
}
