/** The settings of the MLLP nodes, read from their forms. */
import type { ConnectionOptions, TlsOptions } from 'node:tls'
import { numberOr } from '../form/form-values.ts'
import { type KeepSettings, keepSettings, MEGABYTE } from '../intake/keep-settings.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Config, Runtime } from '../runtime/node-red.ts'
import { chosen } from '../service/connector.ts'
import type { TlsConfig } from '../service/host.ts'
import { allowedSenders } from './allowed-senders.ts'

export interface InSettings extends KeepSettings {
  port: number
  /** An address of this machine; undefined for all of them. */
  host: string | undefined
  tls: TlsOptions | undefined
  admits: (address: string) => boolean
  limitBytes: number
  maxPerAddress: number
  idleTimeoutMs: number
  processingIds: readonly string[]
}

/** @throws a NodeError: BAD_PORT, BAD_SENDERS or NO_TLS */
export function inSettings(runtime: Runtime, config: Config): InSettings {
  return {
    port: portOf(config.port),
    host: String(config.host ?? '').trim() || undefined,
    tls: tlsOfReceiver(runtime, config),
    admits: allowedSenders(config.senders),
    limitBytes: numberOr(config.limit, 32) * MEGABYTE,
    maxPerAddress: Math.max(1, numberOr(config.perAddress, 20)),
    // Longer timers than this begin at once.
    idleTimeoutMs: Math.min(Math.max(1, numberOr(config.idle, 720)) * 60_000, 2 ** 31 - 1),
    processingIds: String(config.processingIds ?? '')
      .split(/[\s,]+/)
      .filter(Boolean),
    ...keepSettings(config),
  }
}

export interface OutSettings {
  host: string
  port: number
  tls: ConnectionOptions | undefined
  answerTimeoutMs: number
  /** How often a message is sent that the receiver does not accept. */
  maxTries: number
  maxBytes: number
}

/** @throws a NodeError: BAD_PORT, NO_HOST or NO_TLS */
export function outSettings(runtime: Runtime, config: Config): OutSettings {
  const host = String(config.host ?? '').trim()
  if (host === '')
    throw new NodeError('NO_HOST', 'Host (host): empty. Open the node and enter the address of the receiver.')
  return {
    host,
    port: portOf(config.port),
    tls: tlsConfig(runtime, config)?.addTLSOptions({}),
    answerTimeoutMs: numberOr(config.timeout, 30) * 1000,
    maxTries: Math.max(1, numberOr(config.tries, 10)),
    maxBytes: keepSettings(config).maxBytes,
  }
}

function tlsOfReceiver(runtime: Runtime, config: Config): TlsOptions | undefined {
  const options = tlsConfig(runtime, config)?.addTLSOptions({})
  if (!options) return undefined
  const { key, cert, ca, passphrase } = options
  if (!key || !cert)
    throw new NodeError(
      'NO_TLS',
      'TLS (tls): the chosen configuration has no certificate and private key of this receiver.',
    )
  const asks = config.senderCertificates === true
  return {
    key,
    cert,
    ...(ca && { ca }),
    ...(passphrase && { passphrase }),
    requestCert: asks,
    rejectUnauthorized: asks,
  }
}

const tlsConfig = (runtime: Runtime, config: Config): TlsConfig | null =>
  chosen<TlsConfig>(runtime, config.tls, 'NO_TLS', 'TLS (tls): the chosen TLS configuration')

function portOf(given: unknown): number {
  const port = Number(given)
  if (Number.isInteger(port) && port >= 1 && port <= 65_535 && String(given).trim() !== '') return port
  throw new NodeError('BAD_PORT', 'Port (port): a whole number from 1 to 65535. Open the node and enter one.')
}
