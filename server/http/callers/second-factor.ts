/** The second factor of someone who is signed in: whether there is one, and changing it. */
import { type Request, type RequestHandler, type Response, Router } from 'express'
import * as z from 'zod'
import { rule } from '../../../lib/contract/primitives.ts'
import { MAX_PASSWORD_LENGTH, MAX_SMALL_BODY_BYTES } from '../../choices.ts'
import type { Entrance } from '../../people/entrance.ts'
import type { OwnSecondFactor, Self } from '../../people/second-factor/own-second-factor.ts'
import { jsonBody } from '../bodies/json-body.ts'
import type { Room } from '../bodies/room.ts'
import { loggedRoute } from '../logged-route.ts'
import { parse } from '../parse.ts'
import { actorOf } from './actor.ts'
import { CodeBody, type Enrolled } from './second-step.ts'
import { fromOurPage, only, sessionIdOf, visit, withToken } from './visit.ts'

const PasswordBody = z.object({
  current: z.string(rule('your password')).min(1, 'your password').max(MAX_PASSWORD_LENGTH, 'your password'),
})

/** A code where there is a second factor, the password where there is none. */
const ProofBody = z.union([CodeBody, PasswordBody], 'current: your password; or code: a code of your second factor')

export function secondFactorRoutes(entrance: Entrance, factor: OwnSecondFactor, room: Room): Router {
  const router = Router()
  const path = '/account/api/second-factor'
  const signedIn = [visit(entrance), only('signer', 'administrator', 'operator')]
  const change = (path: string, handler: RequestHandler) =>
    router.post(
      path,
      loggedRoute(path),
      fromOurPage,
      ...signedIn,
      withToken(entrance),
      ...jsonBody(MAX_SMALL_BODY_BYTES, room),
      handler,
    )

  router.get(path, loggedRoute(path), ...signedIn, async (_req, res) => {
    res.json(await factor.of(res.locals.visitor!))
  })
  change(path, async (req, res) => {
    res.json(await factor.offer(selfOf(req, res), parse(ProofBody, req.body)))
  })
  change(`${path}/code`, async (req, res) => {
    const { code } = parse(CodeBody, req.body)
    res.json({ recoveryCodes: await factor.enrol(selfOf(req, res), code) } satisfies Enrolled)
  })
  change(`${path}/recovery-codes`, async (req, res) => {
    const { code } = parse(CodeBody, req.body)
    res.json({ recoveryCodes: await factor.renewCodes(selfOf(req, res), code) } satisfies Enrolled)
  })
  change(`${path}/removal`, async (req, res) => {
    await factor.turnOff(selfOf(req, res), parse(CodeBody, req.body).code)
    res.status(204).end()
  })
  return router
}

const selfOf = (req: Request, res: Response): Self => ({
  visitor: res.locals.visitor!,
  sessionId: sessionIdOf(req)!,
  by: actorOf(req, res),
})
