/** A service as another program sees it: what makes one, and what it offers. Types alone, and none of what is stored. */
import type { Logger } from 'pino'
import type { Clock } from '../lib/clock.ts'
import type { STOP_PATIENCE } from './choices.ts'
import type { ServiceSettings } from './config.ts'
import type { Team } from './domain/team.ts'
import type { PdfPool, PdfPoolOptions } from './pdf/workers/pool.ts'
import type { Resolve } from './workers/delivery/resolve.ts'

/** The settings of a service, and what else it may be given by a program. */
export interface ServiceOptions extends ServiceSettings {
  /** Where the time comes from. Optional; the clock of this machine by default. */
  clock?: Clock
  /** Optional; Logs hold routes and ids, never patients' data. Silent by default. */
  logger?: Logger
  /** Resolves the names of receivers. Optional; the resolver of the machine by default. */
  resolve?: Resolve
  /** The name of the team whose sandbox it is. Optional; undefined where the process has one service only. */
  team?: string
  /** Returns the teams of the process, this one included, once all listen. Optional; none by default. */
  teams?: () => readonly Team[]
  /** Makes the pool that accepts, places and seals documents. Optional; one of worker threads by default. */
  createPool?: (options: PdfPoolOptions) => PdfPool
}

/** A key that seeding has made. */
export interface SeededKey {
  /** The sender whose key it is, by name. */
  organization: string
  /** Shown once: it cannot be read again. */
  key: string
}

/** Starts and stops a service. */
export interface Lifetime {
  /** Listens and begins to work. Rejects with a sentence when the port is taken. */
  start(): Promise<void>
  /**
   * Takes no more connections and no more work, and finishes what is under way, as long as `patience` lasts, in milliseconds.
   * The service cannot be started again after this.
   */
  stop(patience?: typeof STOP_PATIENCE): Promise<void>
}

/** A service as `createService` makes it. It listens once it has started. */
export interface Service extends Lifetime {
  /** Where it listens, without a slash at the end. Known once the service has started. */
  readonly baseUrl: string
  /** Where signers sign. Known once the service has started. */
  readonly inboxUrl: string
  /** Where the metrics are; null when no one asked for them. Known once the service has started. */
  readonly metricsUrl: string | null
  /** Whether it has the control plane of a sandbox, and keeps nothing that is legally signed. */
  readonly mode: 'sandbox' | 'production'
  /** PEM of the certificates that it has sealed documents with, one after another, for `readSignature`. */
  readonly sealCertificates: string
  /** The keys that seeding has just made; they are not shown again. */
  readonly apiKeys: readonly SeededKey[]
  /** Returns a key that lives in this process only and is never stored. Makes the organization if there is none of this name. */
  issueTemporaryKey(organization: string): Promise<string>
}
