/** Signing in and out, for the inbox and the console alike. Answers say who visits, and nothing else of a person. */
import { type Request, type Response, Router } from 'express'
import * as z from 'zod'
import { id, rule } from '../../../lib/contract/primitives.ts'
import { MAX_PASSWORD_LENGTH, MAX_SMALL_BODY_BYTES } from '../../choices.ts'
import type { Entrance } from '../../people/entrance.ts'
import type { SignedIn } from '../../people/signed-in.ts'
import type { DemoPerson, Visitor } from '../../store/directory/people.ts'
import type { Missing } from '../../store/directory/sign-in-steps.ts'
import { jsonBody } from '../bodies/json-body.ts'
import type { Room } from '../bodies/room.ts'
import { loggedRoute } from '../logged-route.ts'
import { parse } from '../parse.ts'
import { actorOf } from './actor.ts'
import {
  deviceIdOf,
  dropSession,
  fromOurPage,
  giveDevice,
  giveSession,
  giveStep,
  only,
  placeFor,
  sessionIdOf,
  sessionIn,
  visit,
  withToken,
} from './visit.ts'

/** Facts about the user of a page. */
export interface Account {
  visitor: Pick<Visitor, 'name' | 'email' | 'role' | 'hasPassword'> | null
  /** To be sent with every change, in the header x-page-token; null when no one is signed in. */
  token: string | null
  /** A sandbox: what is signed here is a test. */
  isTest: boolean
  /** The step that a sign-in still needs after the right password; null otherwise. */
  missing: Missing | null
  /** In a sandbox, the people as whom anyone may sign in. */
  demoPeople: DemoPerson[]
  /** Whether anyone may sign in with a password. */
  hasPasswords: boolean
  /** Null where there is no single sign-on. */
  signOn: {
    /** The name of the provider. */
    name: string
    /** Where a visitor who came from the provider can sign out of it; null for others, and when it has no such place. */
    endUrl: string | null
  } | null
}

const SignIn = z.union([
  z.object({
    email: z.string(rule('an e-mail address')).min(1, 'an e-mail address').max(254, 'an e-mail address'),
    password: z.string(rule('a password')).min(1, 'a password').max(MAX_PASSWORD_LENGTH, 'a password'),
  }),
  z.object({ personId: id() }),
])

const PasswordChange = z.object({
  current: z.string(rule('your password')).min(1, 'your password').max(MAX_PASSWORD_LENGTH, 'your password'),
  password: z.string(rule('a password')),
})

const shownOf = ({ name, email, role, hasPassword }: Visitor) => ({ name, email, role, hasPassword })

export function accountRoutes(entrance: Entrance, room: Room): Router {
  const router = Router()
  const path = '/account/api/session'
  const logged = loggedRoute(path)

  async function signedIn(req: Request, credentials: z.output<typeof SignIn>) {
    const address = req.ip ?? ''
    if ('personId' in credentials)
      return { sessionId: await entrance.signInAs(credentials.personId, address), deviceId: null }
    return entrance.signIn(credentials.email, credentials.password, { address, deviceId: deviceIdOf(req) })
  }

  async function signIn(req: Request, res: Response) {
    const credentials = parse(SignIn, req.body)
    const found = await signedIn(req, credentials)
    if ('sessionId' in found) return void res.json(await begun(entrance, req, res, found))
    const before = sessionIdOf(req)
    if (before) await entrance.signOut(before)
    dropSession(req, res)
    giveStep(req, res, found.stepId)
    res.json({ ...(await accountOf(entrance, null, null)), missing: found.missing })
  }

  router.get(path, logged, visit(entrance, { isUse: false }), async (req, res) => {
    res.json(await accountOf(entrance, sessionIdOf(req), res.locals.visitor ?? null))
  })
  router.post(path, logged, fromOurPage, ...jsonBody(MAX_SMALL_BODY_BYTES, room), signIn)
  router.delete(path, logged, fromOurPage, visit(entrance), withToken(entrance), async (req, res) => {
    await entrance.signOut(sessionIdOf(req)!)
    dropSession(req, res)
    res.status(204).end()
  })
  const everywhere = '/account/api/sessions'
  router.delete(
    everywhere,
    loggedRoute(everywhere),
    fromOurPage,
    visit(entrance),
    only('signer', 'administrator', 'operator'),
    withToken(entrance),
    async (req, res) => {
      await entrance.signOutEverywhere(res.locals.visitor!, actorOf(req, res))
      dropSession(req, res)
      res.status(204).end()
    },
  )
  const passwordPath = '/account/api/password'
  router.post(
    passwordPath,
    loggedRoute(passwordPath),
    fromOurPage,
    visit(entrance),
    only('signer', 'administrator', 'operator'),
    withToken(entrance),
    ...jsonBody(MAX_SMALL_BODY_BYTES, room),
    async (req, res) => {
      const change = parse(PasswordChange, req.body)
      await entrance.changePassword(res.locals.visitor!, sessionIdOf(req)!, change, actorOf(req, res))
      res.status(204).end()
    },
  )
  return router
}

async function accountOf(entrance: Entrance, sessionId: string | null, visitor: Visitor | null): Promise<Account> {
  return {
    visitor: visitor && shownOf({ ...visitor, hasPassword: visitor.hasPassword && entrance.hasPasswords }),
    token: visitor && sessionId && entrance.tokenOf(sessionId),
    isTest: entrance.sandbox,
    missing: null,
    demoPeople: await entrance.demoPeople(),
    ...(await waysIn(entrance, visitor && sessionId)),
  }
}

/** @param sessionId of the visitor; null when there is none */
async function waysIn(
  { hasPasswords, signOn }: Entrance,
  sessionId: string | null,
): Promise<Pick<Account, 'hasPasswords' | 'signOn'>> {
  const endUrl = signOn && sessionId && (await signOn.endUrlFor(sessionId))
  return { hasPasswords, signOn: signOn && { name: signOn.name, endUrl } }
}

/** Gives the browser a session that has just begun, and returns what its page knows from now on. */
export async function begun(
  entrance: Entrance,
  req: Request,
  res: Response,
  { sessionId, deviceId }: Pick<SignedIn, 'sessionId'> & { deviceId: string | null },
): Promise<Account> {
  const visitor = await entrance.visitorOf(sessionId)
  const place = visitor ? placeFor(visitor.role) : 'inbox'
  // A session id never outlives the visitor it was made for.
  const before = sessionIn(req, place)
  if (before) await entrance.signOut(before)
  giveSession(req, res, place, sessionId)
  if (deviceId !== null) giveDevice(req, res, deviceId)
  if (visitor) res.locals.visitor = visitor
  return accountOf(entrance, sessionId, visitor)
}
