/** The settings of a configuration node, read from its form. */
import { join } from 'node:path'
import { DEFAULT_LEASE_MS } from '../database/shared-database.ts'
import type { Config } from '../runtime/node-red.ts'

export interface Settings {
  embedded: boolean
  /** The JSON of the host's profile; empty for our own service. */
  profile: string
  baseUrl: string
  /** The hosts beyond this machine that may be called over http, by name. */
  httpHosts: readonly string[]
  timeoutMs: number
  /** How long after an unanswered create its task may still turn up in the list. */
  settleMs: number
  concurrency: number
  /** Milliseconds for which the host may let no call through before waiting ones fail. */
  patienceMs: number
  cacheMs: number
  /** Where the day of a moment is judged, such as `America/Chicago`; null for the time zone of this machine. */
  timeZone: string | null
  port: number
  /** The address at which the embedded service listens. */
  bindHost: string
  /** Where browsers reach the pages of the embedded service; empty for an address of this machine. */
  publicUrl: string
  /** The folder of the embedded service. */
  data: string
  seed: boolean
  /** The organization in whose name the nodes act at the embedded service. */
  organization: string
  /** The address of a task's page in the console of a real host, with `{taskId}`; empty when it has none. */
  consoleUrl: string
  /** PEM of the certificates that seal the documents of a real host; empty when they are not known. */
  sealCertificates: string
  /** Where the nodes keep what they must not lose. */
  journal: 'folder' | 'postgres'
  /** The folder of the journals of one process. */
  journalFolder: string
  /** Milliseconds for which a process that does not answer keeps what it has in a shared journal. */
  leaseMs: number
}

/** Settings may come from environment variables, which are text. `folder` is where the nodes keep their files. */
export function settingsOf(config: Config, folder: string): Settings {
  return {
    embedded: config.mode === 'embedded',
    profile: String(config.profile ?? ''),
    baseUrl: String(config.baseUrl ?? '').trim(),
    httpHosts: listOf(config.httpHosts),
    timeoutMs: numberOr(config.timeout, 30) * 1000,
    settleMs: numberOr(config.settle, 120) * 1000,
    concurrency: Math.max(1, Math.floor(numberOr(config.concurrency, 5))),
    patienceMs: numberOr(config.patience, 10) * 60_000,
    cacheMs: numberOr(config.cacheMinutes, 10) * 60_000,
    timeZone: String(config.timeZone ?? '').trim() || null,
    port: numberOr(config.port, 8090),
    bindHost: String(config.bindHost || '127.0.0.1').trim(),
    publicUrl: String(config.publicUrl ?? '').trim(),
    data: String(config.data || join(folder, 'service')),
    seed: config.seed !== false,
    organization: String(config.organization || 'Willow Creek Home Health'),
    consoleUrl: String(config.consoleUrl ?? '').trim(),
    sealCertificates: String(config.sealCertificates ?? '').trim(),
    journal: config.journal === 'postgres' ? 'postgres' : 'folder',
    journalFolder: String(config.journalFolder ?? '').trim() || folder,
    leaseMs: Math.max(1, numberOr(config.journalLease, DEFAULT_LEASE_MS / 1000)) * 1000,
  }
}

function numberOr(given: unknown, fallback: number): number {
  const number = given === '' || given === undefined || given === null ? Number.NaN : Number(given)
  return Number.isFinite(number) && number >= 0 ? number : fallback
}

/** Splits the list in a field of a form, in lower case. */
export const listOf = (text: unknown): string[] =>
  String(text ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
