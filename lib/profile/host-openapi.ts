/** The OpenAPI document of a host: the interface with the names, limits and envelopes of its profile. */
import { openapi } from '../contract/openapi/openapi.ts'
import { operationsOf } from './host-operations.ts'
import type { ProfileInput } from './host-profile.ts'
import { webhookHeaders } from './names.ts'
import { profileOf } from './parse-profile.ts'

/**
 * Returns the document, as an object for JSON.
 * @param serverUrl where the paths begin; optional, the host that serves the document by default
 */
export function hostOpenapi(options: { version: string; serverUrl?: string; profile?: ProfileInput }) {
  const { profile: written, ...rest } = options
  const profile = profileOf(written)
  const { apiKeyHeader, refusals } = profile
  const spoken = {
    endpoints: operationsOf(profile),
    apiKeyHeader,
    wrongKey: refusals.wrongKey,
    webhookHeaders: Object.values(webhookHeaders(profile)),
  }
  return openapi({ ...rest, spoken })
}
