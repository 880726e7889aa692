/** The workers of the service, and what wakes them: ingestion, dispatch, retention, and the demo signers of a sandbox. */
import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import type { SealKey } from '../../lib/pdf/seal/seal-key.ts'
import type { HostProfile } from '../../lib/profile/host-profile.ts'
import { stackFrames } from '../../lib/stack-frames.ts'
import type { Settings } from '../config.ts'
import type { TargetPolicy } from '../domain/delivery/target.ts'
import type { KeySigner } from '../domain/external-key.ts'
import { proxyOf } from '../domain/proxy-place.ts'
import { OutcomeUnknown, StoreAway } from '../domain/store-refusals.ts'
import type { WorkerState } from '../domain/worker-health.ts'
import type { Measures } from '../metrics/measures.ts'
import type { PdfPool } from '../pdf/workers/pool.ts'
import { createScriptedSigners } from '../sandbox/scripted-signers.ts'
import { createSigning, type Signing } from '../signing/sign.ts'
import { createDispatcher } from '../workers/delivery/dispatch.ts'
import { createPoster } from '../workers/delivery/post.ts'
import type { Resolve } from '../workers/delivery/resolve.ts'
import { createRetention } from '../workers/delivery/retention.ts'
import { createTestEvents } from '../workers/delivery/test-event.ts'
import { statesOf, type Workers } from '../workers/health.ts'
import { createHeartbeat } from '../workers/heartbeat.ts'
import { createInboxFeed, type InboxFeed } from '../workers/inbox-feed.ts'
import { createIngestion } from '../workers/ingest.ts'
import { createLive, type Live } from '../workers/live.ts'
import { createObjectRemoval } from '../workers/object-removal.ts'
import type { Worker } from '../workers/worker.ts'
import { logKeyProblem } from './external-key.ts'
import type { Foundation } from './foundation.ts'
import { noticesOf } from './notices.ts'
import { timestampsOf } from './timestamps.ts'

export interface CrewParts {
  settings: Settings
  foundation: Foundation
  /** The key that seals documents, wherever it is. */
  seal: SealKey | KeySigner
  pdf: PdfPool
  targets: TargetPolicy
  /** Callbacks that each receiver gets in a minute; undefined sets no limit. */
  perMinute: number | undefined
  retainDays: number | undefined
  /** How the service speaks to receivers. */
  profile: HostProfile
  /** Whether certificate pages name the patient. */
  namesPatient: boolean
  resolve: Resolve
  realClock: Clock
  /** Returns a number from 0 to 1. */
  random: () => number
  newId: () => string
  log: Logger
  measures: Measures
  version: string
}

export interface Crew {
  signing: Signing
  live: Live
  inboxFeed: InboxFeed
  testReceiver: ReturnType<typeof createTestEvents>
  health(): WorkerState[]
  /** The workers for which time makes work in a sandbox; each makes work for those after it. */
  inOrder: readonly Worker[]
  /** @param name where this instance runs, for those who look after it */
  start(name: string): void
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>
  /** Cuts off the callbacks and e-mails under way; each is due again, and counts as no attempt. */
  abandon(): void
  /** Cuts off the callbacks under way, and forgets how receivers were doing and what demo signers tried: a sandbox starts over. */
  startOver(): void
}

export function createCrew({
  foundation,
  pdf,
  targets,
  perMinute,
  resolve,
  realClock,
  seal,
  ...parts
}: CrewParts): Crew {
  const { store, keyring, sandbox, clock } = foundation
  const { random, newId, log, measures, version, namesPatient } = parts
  const onFault = (worker: string) => (fault: unknown) => {
    measures.fault(worker, fault)
    logFault(log, worker, fault)
  }
  const timestamps = timestampsOf(parts.settings, {
    targets,
    resolve,
    onProblem: (reason, isSealed) =>
      log.warn({ reason }, isSealed ? 'sealed without a timestamp' : 'not signed: no timestamp'),
  })
  const isTest = sandbox !== null
  const onKeyProblem = logKeyProblem(log)
  const signing = createSigning({ store, pdf, seal, onKeyProblem, timestamps, clock, newId, isTest, namesPatient })
  const ingestion = createIngestion({
    store,
    pdf,
    clock,
    newId,
    onFault: onFault('ingestion'),
    onDone: measures.ingested,
    ...(sandbox && { matchFor: sandbox.reviewing.matchFor }),
  })
  // Receivers live in real time, even when a sandbox's clock is ahead.
  const { profile } = parts
  const plain = createPoster({ clock: realClock, targets, resolve, profile, proxy: proxyOf(parts.settings) })
  const poster = sandbox?.disturbed(plain, profile) ?? plain
  const dispatching = {
    store,
    poster,
    clock,
    random,
    perMinute,
    lease: newId(),
    onFault: onFault('dispatcher'),
    onAttempt: measures.attempted,
  }
  const dispatcher = createDispatcher(dispatching)
  const retention = createRetention({ store, clock, retainDays: parts.retainDays, onFault: onFault('retention') })
  const { objects } = store
  const removal = objects && createObjectRemoval({ objects, clock, onFault: onFault('object removal') })
  const scripts = sandbox
    ? createScriptedSigners({ store, chosen: sandbox.scripts, signing, clock, onFault: onFault('scripts') })
    : null
  const notices = noticesOf(parts.settings, { store, clock, random, onFault: onFault('notices') })
  const workers: Workers = {
    ingestion,
    deliveries: dispatcher,
    retention,
    ...(removal && { 'object removal': removal }),
    ...(notices && { 'e-mail notices': notices }),
    ...(scripts && { 'demo signers': scripts }),
  }
  const health = () => statesOf(workers)
  const heartbeat = createHeartbeat({
    store,
    writeCounts: keyring.writeUse,
    clock,
    id: newId(),
    version,
    health,
    onFault: onFault('heartbeat'),
  })
  const live = createLive({ store, workers, clock })
  const inboxFeed = createInboxFeed({ store, clock, onFault: onFault('inbox feed') })
  store.onWork((what) => {
    ;(what === 'task' ? ingestion : dispatcher).wake()
    live.changed()
    if (what === 'event') {
      scripts?.wake()
      inboxFeed.changed()
    }
  })
  const further = [removal, notices, scripts].filter((worker) => worker !== null)
  const all = [ingestion, dispatcher, retention, ...further]
  return {
    signing,
    live,
    inboxFeed,
    testReceiver: createTestEvents({ store, poster, clock: realClock, newId }),
    health,
    inOrder: [
      ingestion,
      ...(scripts ? [scripts] : []),
      dispatcher,
      ...(notices ? [notices] : []),
      ...(removal ? [removal] : []),
    ],
    start(name) {
      for (const worker of all) worker.start()
      heartbeat.start(name)
    },
    async stop() {
      await Promise.all([...all, heartbeat].map((worker) => worker.stop()))
    },
    startOver() {
      dispatcher.startOver()
      scripts?.startOver()
    },
    abandon() {
      dispatcher.abandon()
      notices?.abandon()
    },
  }
}

/** The outages of the store have log lines of their own. */
function logFault(log: Logger, worker: string, fault: unknown): void {
  if (fault instanceof StoreAway || fault instanceof OutcomeUnknown) return
  const { name, code } = fault as NodeJS.ErrnoException
  log.error({ worker, name, code, frames: stackFrames(fault) }, 'fault')
}
