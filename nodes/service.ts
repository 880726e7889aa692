/**
 * The configuration node: a real host, or the embedded service. It owns what the nodes of one service share: the connection,
 * the journal, the queue of calls, and the news that a task has changed. The key goes into a request header and nowhere else.
 */
import type { Queue } from '../lib/client/pace/queue.ts'
import type { WaitingTask } from '../lib/client/watch/watch.ts'
import { systemClock } from '../lib/clock.ts'
import { isClearText } from './shared/address/base-url.ts'
import { isExposed } from './shared/address/embedded-address.ts'
import { registerAdminRoutes } from './shared/editor/admin-routes.ts'
import { registerMappingRoutes } from './shared/editor/mapping-routes.ts'
import { editorWords } from './shared/editor-words.ts'
import { migrated } from './shared/form/migration.ts'
import { tellOrphans } from './shared/orphans/tell.ts'
import { FlowError, knownFailure } from './shared/runtime/failures.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import { createNews } from './shared/runtime/news.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { createRegister } from './shared/runtime/register.ts'
import { placeOf } from './shared/service/connect.ts'
import type { ServiceNode, Taken } from './shared/service/connection.ts'
import { createConnectionWatch } from './shared/service/connection-watch.ts'
import { createConnector } from './shared/service/connector.ts'
import { createEventTimes } from './shared/service/event-times.ts'
import { createJournals } from './shared/service/journals.ts'
import type { OutcomeTaker } from './shared/service/outcome-taker.ts'
import { folderOf, type Settings, settingsOf } from './shared/service/settings.ts'
import { speechOf } from './shared/service/speech.ts'
import { createTaskNews } from './shared/service/task-news.ts'
import { registerSidebarRoutes } from './shared/sidebar/sidebar-routes.ts'
import { endLeftBehind } from './shared/webhook/subscription.ts'

export default function (RED: Runtime) {
  registerAdminRoutes(RED)
  registerSidebarRoutes(RED)
  registerMappingRoutes(RED)
  RED.nodes.registerType(
    'countersign-service',
    function (stored) {
      const config = migrated(stored)
      RED.nodes.createNode(this, stored)
      const folder = folderOf(RED)
      const settings = settingsOf(config, folder)
      const place = placeOf(settings)
      const journals = createJournals(folder, this.id)
      const { apiKey } = this.credentials
      const queue = createNews<Queue | null>()
      const surroundings = { journals, onQueue: queue.tell }
      const connector = createConnector({ runtime: RED, config, settings, apiKey, surroundings })
      const closing = new AbortController()
      const { signal } = closing
      const unfinished = new Set<Promise<unknown>>()
      const service: ServiceNode = Object.assign(this, {
        users: {},
        settings,
        place,
        changes: createTaskNews(),
        waits: createRegister<() => Promise<WaitingTask[]>>(),
        eventTimes: createEventTimes(),
        takers: createRegister<OutcomeTaker>(),
        taken: createNews<Taken>(),
        queue,
        speech: () => speechOf(settings),
        connection: createConnectionWatch({
          connect: connector.connect,
          clock: systemClock,
          random: Math.random,
          warn: (text) => service.warn(text),
          signal,
        }),
        connect: connector.connect,
        journal: (namespace: string) => journals.open(`${namespace}-${place}`),
        journals,
        orphansChanged: () => service.finish(orphans.look()),
        finish: (work: Promise<unknown>) => void unfinished.add(work),
      })
      const orphans = tellOrphans(RED, service)
      service.connect().catch((failure) => service.error(new FlowError(knownFailure(failure))))
      for (const warning of warningsAbout(settings)) service.warn(RED._(`warning.${warning}`))

      // Its failures stay silent: the nodes that use the service show whether it can be reached.
      const tidy = () =>
        service.finish(
          keepTrying(() => endLeftBehind(service, nodesInFlows(RED), signal), { signal, onFailure: () => {} }),
        )
      RED.events.on('flows:started', tidy)
      RED.events.on('flows:started', service.orphansChanged)

      service.on('close', (_removed, done) => {
        closing.abort()
        RED.events.removeListener('flows:started', tidy)
        RED.events.removeListener('flows:started', service.orphansChanged)
        void Promise.allSettled(unfinished)
          .then(() => connector.release())
          .then(() => journals.close())
          .catch((failure) => service.error(new FlowError(knownFailure(failure))))
          .then(done)
      })
    },
    { credentials: { apiKey: { type: 'password' } }, settings: editorWords },
  )
}

/** Warnings about settings that are allowed only because they were made on purpose. */
function warningsAbout(settings: Settings): string[] {
  if (settings.embedded) return isExposed(settings) ? ['exposed'] : []
  return isClearText(settings) ? ['clearText'] : []
}
