/**
 * Tokens by SMART Backend Services: the client signs an assertion with its private key, and the token server gives a token for it.
 * A token is kept until shortly before its end; calls at the same time share the request for it.
 */
import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { type JWTHeaderParameters, SignJWT } from 'jose'
import * as z from 'zod'
import { readJson } from '../client/answers/read-json.ts'
import { type RefusedError, UnauthorizedError } from '../client/errors.ts'
import type { Clock } from '../clock.ts'
import { SettingsError } from '../settings.ts'
import { FhirAnswerError } from './fhir-answer-error.ts'
import type { Backend } from './fhir-settings.ts'
import type { Http } from './http.ts'
import { failureOf } from './status-failure.ts'

export interface BackendToken {
  /** Resolves with a token that is good for a while yet. */
  current(signal?: AbortSignal): Promise<string>
  forget(): void
}

interface Surroundings {
  send: Http
  clock: Clock
  newId: () => string
}

/** The longest that SMART allows. */
const ASSERTION_SECONDS = 300
/** A request with the token takes time, and clocks differ. */
const EARLY_SECONDS = 30

const Token = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().positive().default(300),
})
const Configuration = z.object({ token_endpoint: z.url({ protocol: /^https?$/ }) })

/** @throws SettingsError when the private key cannot be used */
export function createBackendToken(
  baseUrl: string,
  backend: Backend,
  { send, clock, newId }: Surroundings,
): BackendToken {
  const signing = signingOf(backend)
  if (backend.tokenUrl !== undefined && !isProtected(backend.tokenUrl, baseUrl))
    throw new SettingsError('FHIR base', [
      { path: 'backend.tokenUrl', right: 'an https URL, or one of the base itself' },
    ])
  let kept: { token: string; until: number } | null = null
  let asking: Promise<string> | null = null

  async function ask(): Promise<string> {
    const tokenUrl = backend.tokenUrl ?? (await tokenUrlOf(baseUrl, send))
    const seconds = Math.floor(clock.now() / 1000)
    const assertion = await new SignJWT()
      .setProtectedHeader(signing.header)
      .setIssuer(backend.clientId)
      .setSubject(backend.clientId)
      .setAudience(tokenUrl)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + ASSERTION_SECONDS)
      .setJti(newId())
      .sign(signing.key)
    const { access_token, expires_in } = await tokenFor(assertion, { tokenUrl, scope: backend.scope, send })
    kept = { token: access_token, until: (seconds + expires_in - EARLY_SECONDS) * 1000 }
    return access_token
  }

  return {
    async current(signal) {
      if (kept && clock.now() < kept.until) return kept.token
      asking ??= ask().finally(() => {
        asking = null
      })
      const token = await asking
      signal?.throwIfAborted()
      return token
    },
    forget() {
      kept = null
    },
  }
}

async function tokenFor(assertion: string, { tokenUrl, scope, send }: { tokenUrl: string; scope: string; send: Http }) {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    scope,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  }).toString()
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await send({ operation: 'token', method: 'POST', url: tokenUrl, headers, body })
  const failure = failureOf('token', answer)
  // OAuth refuses a client with 400 as well as with 401.
  if (failure && answer.status === 400) throw new UnauthorizedError('token', 400, (failure as RefusedError).errors)
  if (failure) throw failure
  const token = Token.safeParse(readJson(answer.bytes.toString()))
  if (token.success && token.data.token_type.toLowerCase() === 'bearer') return token.data
  throw new FhirAnswerError('token', answer.status, 'the answer holds no token')
}

async function tokenUrlOf(baseUrl: string, send: Http): Promise<string> {
  const url = `${baseUrl}/.well-known/smart-configuration`
  const answer = await send({ operation: 'discovery', method: 'GET', url, headers: { accept: 'application/json' } })
  const failure = failureOf('discovery', answer)
  if (failure) throw failure
  const configuration = Configuration.safeParse(readJson(answer.bytes.toString()))
  if (!configuration.success)
    throw new FhirAnswerError('discovery', answer.status, 'the answer names no token endpoint')
  const tokenUrl = configuration.data.token_endpoint
  if (isProtected(tokenUrl, baseUrl)) return tokenUrl
  throw new FhirAnswerError('discovery', answer.status, 'the token endpoint is not on https')
}

/** Whether plain http is allowed is decided for the base. */
const isProtected = (tokenUrl: string, baseUrl: string): boolean =>
  new URL(tokenUrl).protocol === 'https:' || new URL(tokenUrl).origin === new URL(baseUrl).origin

/** RS384 and ES384 are those that SMART asks every server to take. */
function signingOf({ privateKey, keyId }: Backend): { key: KeyObject; header: JWTHeaderParameters } {
  const jwk = readJson(privateKey) as (JsonWebKey & { kid?: unknown }) | undefined
  const key = keyIn(privateKey, jwk)
  const alg = key && algorithmOf(key)
  if (!key || !alg)
    throw new SettingsError('FHIR base', [
      { path: 'backend.privateKey', right: 'a private key as PEM or JSON Web Key: RSA, or EC on P-384' },
    ])
  const kid = keyId ?? (typeof jwk?.kid === 'string' ? jwk.kid : undefined)
  return { key, header: { alg, typ: 'JWT', ...(kid !== undefined && { kid }) } }
}

function keyIn(text: string, jwk: JsonWebKey | undefined): KeyObject | null {
  try {
    return jwk ? createPrivateKey({ key: jwk, format: 'jwk' }) : createPrivateKey(text)
  } catch {
    return null
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | null {
  if (asymmetricKeyType === 'rsa') return 'RS384'
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'ES384' : null
}
