/**
 * The configuration node: a real host, or the embedded service. It owns what the nodes of one service share: the connection,
 * the journal, the queue of calls, and the news that a task has changed. The key goes into a request header and nowhere else.
 */
import type { Queue } from '../lib/client/pace/queue.ts'
import type { WaitingTask } from '../lib/client/watch/watch.ts'
import { systemClock } from '../lib/clock.ts'
import { isClearText } from './shared/address/base-url.ts'
import { isExposed } from './shared/address/embedded-address.ts'
import { chooseJournal, defaultFolder, type JournalChoice } from './shared/database/journal-choice.ts'
import { sharedDatabase } from './shared/database/shared-database.ts'
import { registerAdminRoutes } from './shared/editor/admin-routes.ts'
import { registerMappingRoutes } from './shared/editor/mapping-routes.ts'
import { editorWords } from './shared/editor-words.ts'
import { migrated } from './shared/form/migration.ts'
import { tellOrphans } from './shared/orphans/tell.ts'
import { FlowError, knownFailure } from './shared/runtime/failures.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import { createNews } from './shared/runtime/news.ts'
import type { Config, Runtime } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { createRegister } from './shared/runtime/register.ts'
import { placeOf } from './shared/service/connect.ts'
import type { ServiceNode, Taken } from './shared/service/connection.ts'
import { createConnectionWatch } from './shared/service/connection-watch.ts'
import { createConnector } from './shared/service/connector.ts'
import { createEventTimes, type EventTime } from './shared/service/event-times.ts'
import type { TlsConfig } from './shared/service/host.ts'
import { createJournals } from './shared/service/journals.ts'
import type { OutcomeTaker } from './shared/service/outcome-taker.ts'
import { type Settings, settingsOf } from './shared/service/settings.ts'
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
      const settings = settingsOf(config, defaultFolder(RED))
      const place = placeOf(settings)
      const { apiKey, journalUrl } = this.credentials
      const choice = choiceOf(RED, config, settings, journalUrl)
      const shared = 'database' in choice ? choice.database : null
      const journals = createJournals(choice, this.id)
      const forgetChoice = chooseJournal(this.id, choice)
      const queue = createNews<Queue | null>()
      const surroundings = { journals, shared, onQueue: queue.tell }
      const connector = createConnector({ runtime: RED, config, settings, apiKey, surroundings })
      const closing = new AbortController()
      const { signal } = closing
      const unfinished = new Set<Promise<unknown>>()
      const changes = createTaskNews()
      const eventTimes = createEventTimes()
      // An event that this process receives may be of a task that another one waits for.
      const part = `${this.id}/${place}`
      const tellChange = (taskId: number) => {
        shared?.tell({ part, taskId })
        return changes.tell(taskId)
      }
      const noteTime = ({ taskId, status, occurredAtUtc }: EventTime) => {
        shared?.tell({ part, event: { taskId, status, occurredAtUtc } })
        eventTimes.note({ taskId, status, occurredAtUtc })
      }
      const stopNews = shared?.onNews((news) => {
        if (news.part !== part) return
        if (typeof news.taskId === 'number') void changes.tell(news.taskId)
        if (news.event) eventTimes.note(news.event as EventTime)
      })
      const service: ServiceNode = Object.assign(this, {
        users: {},
        settings,
        place,
        changes: { ...changes, tell: tellChange },
        waits: createRegister<() => Promise<WaitingTask[]>>(),
        eventTimes: { ...eventTimes, note: noteTime },
        takers: createRegister<OutcomeTaker>(),
        taken: createNews<Taken>(),
        remindersTaken: createNews<string>(),
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
        ownJournal: (namespace: string) => journals.openOwn(`${namespace}-${place}`),
        journalChoice: choice,
        shared,
        onBeat: (listener: () => void) => shared?.onBeat(listener) ?? (() => {}),
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
        stopNews?.()
        RED.events.removeListener('flows:started', tidy)
        RED.events.removeListener('flows:started', service.orphansChanged)
        void Promise.allSettled(unfinished)
          .then(() => connector.release())
          .then(() => journals.close())
          .then(forgetChoice)
          .catch((failure) => service.error(new FlowError(knownFailure(failure))))
          .then(done)
      })
    },
    { credentials: { apiKey: { type: 'password' }, journalUrl: { type: 'password' } }, settings: editorWords },
  )
}

/** A journal that cannot be used fails each call, and not the start: its nodes show why. */
function choiceOf(runtime: Runtime, config: Config, settings: Settings, journalUrl: string | undefined): JournalChoice {
  if (settings.journal === 'folder') return { folder: settings.journalFolder }
  const tls = runtime.nodes.getNode(config.journalTls) as TlsConfig | null
  const options = { url: journalUrl ?? '', leaseMs: settings.leaseMs, tls: tls?.addTLSOptions({}) }
  return { database: sharedDatabase(options) }
}

/** Warnings about settings that are allowed only because they were made on purpose. */
function warningsAbout(settings: Settings): string[] {
  if (settings.embedded) return isExposed(settings) ? ['exposed'] : []
  return isClearText(settings) ? ['clearText'] : []
}
