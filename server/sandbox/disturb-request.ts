/** Makes a request go wrong as its sender has planned: refused, late, or with an answer that is lost or cut. */
import { finished } from 'node:stream/promises'
import type { Request, RequestHandler, Response } from 'express'
import type { Clock } from '../../lib/clock.ts'
import type { RequestFault } from '../operations/sandbox/fault.ts'
import type { Faults } from '../operations/sandbox/faults.ts'

const DELAY_SECONDS = 2
const UNAVAILABLE = 503

/** Runs once the caller is known, before the body is read. @param clock the real one: callers wait in real time */
export function disturbRequest(faults: Pick<Faults, 'ofRequest'>, clock: Pick<Clock, 'sleep'>): RequestHandler {
  return async (req, res, next) => {
    const { caller, operation } = res.locals
    const fault = caller && operation ? faults.ofRequest(caller.organizationId, operation) : null
    if (fault) res.locals.fault = fault.fault
    switch (fault?.fault) {
      case 'refuse':
        // Read first, so that its sender reads the answer, and it can be sent again from the control room.
        await finished(req.resume(), { writable: false }).catch(() => {})
        return refuse(res, fault)
      case 'reset':
        return void req.socket.resetAndDestroy()
      case 'delay':
        await clock.sleep((fault.delaySeconds ?? DELAY_SECONDS) * 1000)
        break
      case 'lose-answer':
        res.end = () => cutOff(req, res)
        break
      case 'cut-answer':
        cutAnswer(req, res)
    }
    next()
  }
}

function refuse(res: Response, { status, retryAfterSeconds }: RequestFault): void {
  if (typeof retryAfterSeconds === 'number') res.setHeader('Retry-After', String(retryAfterSeconds))
  res.status(status ?? UNAVAILABLE).json({ errors: ['A fault of the sandbox, as planned under /sandbox/v1/faults.'] })
}

function cutOff(req: Request, res: Response): Response {
  req.socket.destroy()
  return res
}

/** Sends the headers and half of the body; an answer without a body is lost. */
function cutAnswer(req: Request, res: Response): void {
  const { write } = res
  res.end = (chunk?: unknown) => {
    const bytes = typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.from(chunk) : null
    if (!bytes || bytes.length < 2) return cutOff(req, res)
    write.call(res, bytes.subarray(0, bytes.length >> 1), 'utf8', () => cutOff(req, res))
    return res
  }
}
