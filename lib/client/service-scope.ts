/** Names a service and a key without revealing either, so that what is remembered for one is never used for another. */
import { createHash } from 'node:crypto'
import { hostAddress } from './base-url.ts'

/** Returns 64 hex digits: the same for the same host and key, regardless of the host's case, and of slashes or `/api/v1` at its end. */
export const serviceScope = (baseUrl: string, apiKey: string): string =>
  sha256(`${hostAddress(baseUrl).toLowerCase()}\n${sha256(apiKey)}`)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
