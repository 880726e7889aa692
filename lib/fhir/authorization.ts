/** Authorizes calls to a FHIR base: with nothing, a given token, or tokens of SMART Backend Services. */
import { createBackendToken } from './backend-token.ts'
import type { FhirSettings } from './fhir-settings.ts'
import type { Http } from './http.ts'

export interface Authorization {
  headers(signal?: AbortSignal): Promise<Record<string, string>>
  /** Drops the token, which was refused. Returns whether another one may be had. */
  renew(): boolean
}

/** @throws SettingsError when the private key cannot be used */
export function createAuthorization(settings: FhirSettings, send: Http): Authorization {
  const { bearer, backend } = settings
  const token =
    backend && createBackendToken(settings.baseUrl, backend, { send, clock: settings.clock, newId: settings.newId })
  if (token)
    return {
      headers: async (signal) => ({ authorization: `Bearer ${await token.current(signal)}` }),
      renew() {
        token.forget()
        return true
      },
    }
  const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  return { headers: async () => headers, renew: () => false }
}
