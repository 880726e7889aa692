/**
 * Single sign-on. A page asks where the browser has to go, and takes it there; the provider sends it back here. Of what comes
 * back, nothing is logged or shown.
 */
import { type Request, type RequestHandler, Router } from 'express'
import * as z from 'zod'
import { rule } from '../../../lib/contract/primitives.ts'
import { MAX_SMALL_BODY_BYTES } from '../../choices.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Entrance } from '../../people/entrance.ts'
import { RETURN_PATH, type SignOn } from '../../people/sign-on/sign-on.ts'
import { jsonBody } from '../bodies/json-body.ts'
import type { Room } from '../bodies/room.ts'
import { loggedRoute } from '../logged-route.ts'
import { parse } from '../parse.ts'
import { showRefusal } from './sign-on-page.ts'
import {
  dropSignOnSecret,
  fromOurPage,
  giveSession,
  giveSignOnSecret,
  placeFor,
  sessionIdOf,
  signOnSecretOf,
} from './visit.ts'

const BEGIN_PATH = '/account/api/sign-on'

/** A page of ours, with its route: nothing that a browser could take for another host. */
const PAGE = /^\/(inbox|console)(#\/[\w/?=&%.-]{0,500})?$/
const aPage = 'a page of this service'
const Begin = z.object({ returnTo: z.string(rule(aPage)).regex(PAGE, aPage) })

export function signOnRoutes(entrance: Entrance, signOn: SignOn, room: Room): Router {
  const router = Router()
  router.post(
    BEGIN_PATH,
    loggedRoute(BEGIN_PATH),
    fromOurPage,
    atOrigin(signOn.origin),
    ...jsonBody(MAX_SMALL_BODY_BYTES, room),
    async (req, res) => {
      const { returnTo } = parse(Begin, req.body)
      const { url, secret } = await signOn.begin(returnTo, sessionIdOf(req), req.ip ?? '')
      giveSignOnSecret(req, res, secret)
      res.json({ url })
    },
  )
  router.get(RETURN_PATH, loggedRoute(RETURN_PATH), async (req, res) => {
    try {
      const { sessionId, returnTo } = await signOn.finish(returnOf(req), req.ip ?? '')
      dropSignOnSecret(req, res)
      const visitor = await entrance.visitorOf(sessionId)
      giveSession(req, res, visitor ? placeFor(visitor.role) : 'inbox', sessionId)
      res.redirect(303, returnTo)
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      showRefusal(res, failure)
    }
  })
  return router
}

const returnOf = (req: Request) => {
  const { search } = new URL(req.originalUrl, 'http://localhost')
  const { state } = req.query
  return { query: search, state: typeof state === 'string' ? state : null, secret: signOnSecretOf(req) }
}

/** The browser keeps its secret for the host that it is at, and comes back to the public URL. */
const atOrigin =
  (origin: string): RequestHandler =>
  (req, _res, next) => {
    if (req.headers.origin !== origin) throw new Refusal('forbidden', `Open this page at ${origin}, and sign in there.`)
    next()
  }
