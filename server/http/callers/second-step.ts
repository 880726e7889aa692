/** The rest of a sign-in after the right password. The step is known by a cookie of its own, which opens nothing else. */
import { type Request, type RequestHandler, type Response, Router } from 'express'
import * as z from 'zod'
import { rule } from '../../../lib/contract/primitives.ts'
import { MAX_SMALL_BODY_BYTES } from '../../choices.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Entrance } from '../../people/entrance.ts'
import type { SecondStep } from '../../people/second-factor/second-step.ts'
import type { Origin, SignedIn } from '../../people/signed-in.ts'
import { jsonBody } from '../bodies/json-body.ts'
import type { Room } from '../bodies/room.ts'
import { loggedRoute } from '../logged-route.ts'
import { parse } from '../parse.ts'
import { type Account, begun } from './account.ts'
import { deviceIdOf, dropStep, fromOurPage, stepIdOf } from './visit.ts'

/** The answer to a page when its user has a new second factor. */
export interface Enrolled {
  /** Shown this one time. */
  recoveryCodes: string[]
}

const LONGEST_CODE = 40

export const CodeBody = z.object({
  code: z.string(rule('a code')).min(1, 'a code').max(LONGEST_CODE, 'a code'),
})

export function secondStepRoutes(entrance: Entrance, step: SecondStep, room: Room): Router {
  const router = Router()
  const body = jsonBody(MAX_SMALL_BODY_BYTES, room)
  const post = (path: string, ...handlers: RequestHandler[]) =>
    router.post(path, loggedRoute(path), fromOurPage, ...handlers)

  async function letIn(req: Request, res: Response, signedIn: SignedIn): Promise<Account> {
    dropStep(req, res)
    return begun(entrance, req, res, signedIn)
  }

  post('/account/api/session/code', ...body, async (req, res) => {
    const { code } = parse(CodeBody, req.body)
    res.json(await letIn(req, res, await step.enter(idOf(req), code, originOf(req))))
  })
  post('/account/api/session/second-factor', async (req, res) => {
    res.json(await step.offer(idOf(req)))
  })
  post('/account/api/session/second-factor/code', ...body, async (req, res) => {
    const { code } = parse(CodeBody, req.body)
    const { recoveryCodes, ...signedIn } = await step.enrol(idOf(req), code, originOf(req))
    res.json({ ...(await letIn(req, res, signedIn)), recoveryCodes } satisfies Account & Enrolled)
  })
  return router
}

function idOf(req: Request): string {
  const id = stepIdOf(req)
  if (id === null) throw new Refusal('signedOut', 'Enter your password first.')
  return id
}

const originOf = (req: Request): Origin => ({ address: req.ip ?? '', deviceId: deviceIdOf(req) })
