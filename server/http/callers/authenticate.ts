/** Turns the header x-api-key into the caller, before anything else of the request is read. spec: Authentication */
import type { Request, RequestHandler } from 'express'
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { MAX_KEY_LENGTH } from '../../choices.ts'
import type { Keyring } from '../../keys/keyring.ts'

export function authenticate(keyring: Keyring, clock: Clock): RequestHandler {
  return async (req, res, next) => {
    res.locals.caller = await keyring.callerOf(keyIn(req), timeOf(clock))
    next()
  }
}

export function keyIn(req: Request): string | undefined {
  const header = req.headers['x-api-key']
  return typeof header === 'string' ? header.slice(0, MAX_KEY_LENGTH) : undefined
}
