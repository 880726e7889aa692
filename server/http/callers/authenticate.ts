/** Turns the header of the key into the caller, before anything else of the request is read. spec: Authentication */
import type { Request, RequestHandler } from 'express'
import { type Clock, timeOf } from '../../../lib/clock.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { MAX_KEY_LENGTH } from '../../choices.ts'
import { networkOf } from '../../domain/network.ts'
import type { Keyring } from '../../keys/keyring.ts'

/** @param profile names the header, and the status for a key that is not accepted */
export function authenticate(
  keyring: Keyring,
  clock: Clock,
  { apiKeyHeader, refusals }: Pick<HostProfile, 'apiKeyHeader' | 'refusals'>,
): RequestHandler {
  return async (req, res, next) => {
    res.locals.wrongKeyStatus = refusals.wrongKey
    res.locals.caller = await keyring.callerOf(keyIn(req, apiKeyHeader), timeOf(clock), networkOf(req.ip))
    next()
  }
}

export function keyIn(req: Request, name: string): string | undefined {
  const header = req.headers[name.toLowerCase()]
  return typeof header === 'string' ? header.slice(0, MAX_KEY_LENGTH) : undefined
}
