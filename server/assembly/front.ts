/** Mounts what the service offers on its port: the interfaces, the pages, and its readiness. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { profileOf } from '../../lib/profile/parse-profile.ts'
import { CONSOLE_STREAMS, INBOX_STREAMS, WEBHOOK_SECRET_BYTES } from '../choices.ts'
import type { Settings } from '../config.ts'
import type { TargetPolicy } from '../domain/delivery/target.ts'
import type { Team } from '../domain/team.ts'
import { type App, createApp } from '../http/app.ts'
import { createBodyRooms } from '../http/bodies/body-rooms.ts'
import { catchWebhooks } from '../http/catch-webhooks.ts'
import { noMoreNotices } from '../http/no-more-notices.ts'
import { pageRoutes } from '../http/pages.ts'
import { readyRoute } from '../http/ready.ts'
import { streamPlaces } from '../http/stream-places.ts'
import { teamsRoute } from '../http/teams.ts'
import type { Measures } from '../metrics/measures.ts'
import { withLiveExamples } from '../sandbox/live-examples.ts'
import type { SampleOrders } from '../sandbox/orders/send.ts'
import { createInkPreviews } from '../signing/ink-previews.ts'
import { createShownPages } from '../signing/shown-pages.ts'
import { version } from '../version.ts'
import type { EventLoop } from '../workers/event-loop.ts'
import { createReadiness } from '../workers/readiness.ts'
import type { Crew } from './crew.ts'
import type { Foundation } from './foundation.ts'
import type { Pools } from './pools.ts'
import type { WaysIn } from './ways-in.ts'

export interface FrontParts {
  settings: Settings
  maxAttachmentBytes: number
  foundation: Foundation
  pools: Pools
  crew: Crew
  waysIn: WaysIn
  targets: TargetPolicy
  measures: Measures
  eventLoop: EventLoop
  log: Logger
  /** Aborted when the service begins to stop. */
  stopping: AbortSignal
  /** The real time. */
  realClock: Clock
  /** Sends the sample orders of a sandbox. */
  sampleOrders: SampleOrders
  /** The team whose sandbox it is; null where the process has one service only. */
  team: string | null
  teams(): readonly Team[]
  /** Returns where this machine reaches the service. */
  origin(): string
}

export function createFront({
  settings,
  foundation,
  pools,
  crew,
  waysIn,
  measures,
  origin,
  ...parts
}: FrontParts): App {
  const { store, keyring, sandbox, clock, certificatePem } = foundation
  const {
    profile,
    bodyMemory,
    trustProxy: trustedProxies,
    rateLimit: requestsPerMinute,
    unsignedPdf,
    patientsInLists,
    staffDocuments,
  } = settings
  const rooms = createBodyRooms(parts.maxAttachmentBytes, bodyMemory)
  const pages = createShownPages(pools.pdf)
  const inboxStreams = streamPlaces(
    '/inbox/api/changes',
    INBOX_STREAMS,
    'Too many inboxes are open. This one asks from time to time; close those not in use.',
  )
  const consoleStreams = streamPlaces(
    '/admin/v1/changes',
    CONSOLE_STREAMS,
    'Too many streams of changes are open. Close those not in use; one is enough for a program, and one for each open page.',
  )
  const readiness = createReadiness({
    store,
    eventLoop: parts.eventLoop,
    workers: crew.health,
    stopping: parts.stopping,
  })
  return createApp({
    ...parts,
    store,
    keyring,
    pdf: pools.pdf,
    clock,
    version,
    newId: randomUUID,
    newSecret: () => randomBytes(WEBHOOK_SECRET_BYTES),
    signing: crew.signing,
    pages,
    previews: createInkPreviews({ store, pdf: pools.pdf, pages, clock }),
    entrance: waysIn.entrance,
    live: crew.live,
    consoleStreams,
    inboxFeed: crew.inboxFeed,
    testReceiver: crew.testReceiver,
    inboxStreams,
    offersNotices: settings.smtpUrl !== undefined,
    verification: { pdf: pools.verifying, certificatePem, authorities: settings.timestampCa ?? '' },
    profile,
    rooms,
    trustedProxies,
    requestsPerMinute,
    unsignedPdf,
    patientsInLists,
    staffDocuments,
    onRequest: measures.request,
    onFault: (fault) => measures.fault('requests', fault),
    beforeReading: sandbox?.beforeReading ?? [],
    sandbox: sandbox && {
      time: sandbox.timeTravel(crew.inOrder, crew.startOver),
      faults: sandbox.faults,
      reviewing: sandbox.reviewing,
      scripts: sandbox.scripts,
      origin,
      catchers: sandbox.catchers,
      snapshots: sandbox.snapshots,
      scenarios: sandbox.scenarios,
      traffic: sandbox.traffic,
      lessonsBegun: sandbox.lessonsBegun,
      ...parts.sampleOrders,
      keyringIn: foundation.keyringIn,
      hosted: sandbox.hosted,
      withLiveExamples: (described) =>
        withLiveExamples(described, { store, profile: profileOf(profile), at: timeOf(clock) }),
    },
    further: [
      readyRoute(readiness, [inboxStreams, consoleStreams]),
      pageRoutes({ sandbox: sandbox !== null }),
      noMoreNotices(store, clock),
      ...waysIn.routes(rooms.signIns),
      ...(sandbox ? [teamsRoute(parts.team, parts.teams)] : []),
      ...(sandbox ? [catchWebhooks({ ...sandbox, realClock: parts.realClock, profile })] : []),
    ],
  })
}
