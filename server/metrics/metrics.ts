/**
 * The metrics of the service for Prometheus. A label is one of a few fixed words: routes as they are written, outcomes, names
 * of workers; never an id, a name or anything else from a request.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { shareAnswer } from '../../lib/share-answer.ts'
import { HEALTH_LIMIT_MS } from '../choices.ts'
import { OutcomeUnknown, StoreAway } from '../domain/store-refusals.ts'
import type { Store } from '../store/store.ts'
import type { Waiting } from '../store/waiting.ts'
import type { EventLoop } from '../workers/event-loop.ts'
import type { Measures } from './measures.ts'

export interface MetricsParts {
  store: Pick<Store, 'waiting' | 'queue'>
  eventLoop: EventLoop
  clock: Clock
  pdfLoad(): { busy: number; queued: number }
}

export interface Metrics extends Measures {
  readonly contentType: string
  text(): Promise<string>
}

export function createMetrics({ store, clock, pdfLoad, eventLoop }: MetricsParts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Histogram({
    name: 'countersign_request_seconds',
    help: 'Requests and how long they took, by route, method and class of the status; aborted: the caller went away.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const ingestions = new Histogram({
    name: 'countersign_ingestion_seconds',
    help: 'Tasks that ingestion worked on, by what came of them: presented, failed, review, overtaken or fault.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const attempts = new Counter({
    name: 'countersign_delivery_attempts_total',
    help: 'Attempts to deliver a callback, by what came of them.',
    labelNames: ['outcome'],
    registers,
  })
  const faults = new Counter({
    name: 'countersign_faults_total',
    help: 'Faults that are logged, by where they were met (requests, or a worker) and whose they are: store or other.',
    labelNames: ['at', 'kind'],
    registers,
  })
  const outage = registerOutages(registers)
  registerLoad(registers, pdfLoad)
  registerWaits(registers, store, eventLoop)
  const askStore = registerWaiting(registers, store, clock)

  return {
    contentType: registry.contentType,
    async text() {
      await askStore()
      return registry.metrics()
    },
    request: ({ route, method, status, ms }) => {
      const labels = { route, method: METHODS.has(method) ? method : 'other', status: classOf(status) }
      requests.observe(labels, ms / 1000)
    },
    ingested: (outcome, ms) => ingestions.observe({ outcome }, ms / 1000),
    attempted: (outcome) => attempts.inc({ outcome }),
    outage,
    fault: (at, fault) =>
      faults.inc({ at, kind: fault instanceof StoreAway || fault instanceof OutcomeUnknown ? 'store' : 'other' }),
  }
}

/** A caller may send any of Node.js's thirty and more. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
const classOf = (status: number | 'aborted') => (status === 'aborted' ? status : `${Math.floor(status / 100)}xx`)

function registerOutages(registers: Registry[]): Measures['outage'] {
  const outages = new Counter({
    name: 'countersign_store_outages_total',
    help: 'Times that the store went away (away), and commits that it did not answer (unanswered).',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of ['away', 'unanswered']) outages.inc({ kind }, 0)
  const awaySeconds = new Counter({
    name: 'countersign_store_away_seconds_total',
    help: 'How long the store was away, in outages that have ended.',
    registers,
  })
  return (outage) => (outage.is === 'back' ? awaySeconds.inc(outage.seconds) : outages.inc({ kind: outage.is }))
}

function registerLoad(registers: Registry[], pdfLoad: MetricsParts['pdfLoad']): void {
  for (const name of ['busy', 'queued'] as const)
    new Gauge({
      name: `countersign_pdf_jobs_${name}`,
      help: `PDF jobs that ${name === 'busy' ? 'worker threads are busy with' : 'wait for a worker thread'}.`,
      registers,
      collect() {
        this.set(pdfLoad()[name])
      },
    })
}

/** Measures the delays that requests wait for, also while the store does not answer. */
function registerWaits(registers: Registry[], store: MetricsParts['store'], eventLoop: EventLoop): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('countersign_store_waiting', 'Statements and transactions that wait for a connection to the store.', () => {
    return store.queue().waiting
  })
  gauge('countersign_store_oldest_wait_seconds', 'How long the oldest of them has waited; 0: none.', () => {
    return store.queue().oldestMs / 1000
  })
  gauge('countersign_event_loop_wait_seconds', 'How long a request waits for the event loop, on average.', () => {
    return eventLoop.waitMs() / 1000
  })
}

/** Returns what asks the store, once for all of them, before they are read. */
function registerWaiting(registers: Registry[], store: MetricsParts['store'], clock: Clock): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const up = gauge('countersign_store_up', 'Whether the store answers. While it does not, the ages are NaN.')
  const task = gauge(
    'countersign_oldest_task_seconds',
    'Age of the oldest task that ingestion has not finished; 0: none.',
  )
  const delivery = gauge('countersign_oldest_delivery_seconds', 'Age of the oldest callback that still waits; 0: none.')
  const age = (since: Date | null) => (since ? Math.max(0, timeOf(clock).getTime() - since.getTime()) / 1000 : 0)
  const waiting = shareAnswer(() => store.waiting(), HEALTH_LIMIT_MS)
  return async () => {
    const found = await waiting().catch((): Waiting | null => null)
    up.set(found ? 1 : 0)
    task.set(found ? age(found.oldestTask) : Number.NaN)
    delivery.set(found ? age(found.oldestDelivery) : Number.NaN)
  }
}
