/** The key that seals documents, where it is a device's or another service's, as the settings have it. */
import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import type { SealKey } from '../../lib/pdf/seal/seal-key.ts'
import { EXTERNAL_KEY_TIMEOUT_MS } from '../choices.ts'
import type { Settings } from '../config.ts'
import { bareHost, isLoopbackHost, type TargetPolicy } from '../domain/delivery/target.ts'
import { externalKeyIn, type KeyProblem, type KeySigner, keyProblems } from '../domain/external-key.ts'
import { proxyFor, proxyOf } from '../domain/proxy-place.ts'
import { guardedLookup } from '../workers/delivery/guarded-lookup.ts'
import type { Resolve } from '../workers/delivery/resolve.ts'
import type { Foundation } from './foundation.ts'

export interface ExternalKeySurroundings {
  /** Addresses that the service may call. */
  targets: TargetPolicy
  resolve: Resolve
  clock: Clock
  log: Logger
}

/** No organization: the key is the operator's. */
const NOBODY = 0

/** Returns the key, which was tried where it is elsewhere. Rejects with a sentence, and closes the store, when it is not that of its certificate. */
export async function sealOf(
  { seal, store }: Pick<Foundation, 'seal' | 'store'>,
  settings: Settings,
  surroundings: ExternalKeySurroundings,
): Promise<SealKey | KeySigner> {
  if (seal.privateKeyPem !== null) return seal
  try {
    const key = await externalKey(settings, seal.certificatePem, surroundings)
    await tryKey(key, surroundings.log)
    return key
  } catch (failure) {
    await store.close()
    throw failure
  }
}

/** The settings have been found to be whole. What signs elsewhere is loaded only here, because most services need none of it. */
async function externalKey(
  { sealKey = '', sealKeySecret: secret = '', ...settings }: Settings,
  certificatePem: string,
  { targets, resolve, clock }: ExternalKeySurroundings,
): Promise<KeySigner> {
  const { keySigner } = await import('../workers/external-key/key-signer.ts')
  const place = externalKeyIn(sealKey)!
  const host = 'endpoint' in place ? bareHost(place.endpoint) : 'localhost'
  const policy = { ...targets, allowHttp: targets.allowHttp || isLoopbackHost(host) }
  const way = {
    timeoutMs: EXTERNAL_KEY_TIMEOUT_MS,
    lookup: guardedLookup(policy, resolve)(NOBODY),
    proxy: proxyFor(host, proxyOf(settings)),
  }
  return keySigner(place, { certificatePem, secret, way, clock })
}

/**
 * Signs something that is no document. Logs why the key cannot sign now, because the service can do all else; rejects with a sentence
 * when it is not the key of the certificate.
 */
async function tryKey(key: KeySigner, log: Logger): Promise<void> {
  const tried = await key.sign(Buffer.from('A trial of the key, not a document'))
  if (!('problem' in tried)) return
  if (tried.problem === 'anotherKey') throw new Error('The key of sealKey is not the one of sealCertificate.')
  logKeyProblem(log)(tried.problem)
}

export const logKeyProblem =
  (log: Logger) =>
  (reason: KeyProblem): void =>
    log.error({ reason }, `not signed: the key that seals documents ${keyProblems[reason]}`)
