/** The session of a page: its cookie, that of the device and that of single sign-on, who visits, and proof that a change was asked for by a page of ours. Keeps nothing. */
import { parseCookie } from 'cookie'
import type { Request, RequestHandler, Response } from 'express'
import { DEVICE_LIFE_MS, SESSION_LIFE_MS, SIGN_IN_STEP_MS, SIGN_ON_LIFE_MS } from '../../choices.ts'
import { networkOf } from '../../domain/network.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Role } from '../../operations/row.ts'
import type { Entrance } from '../../people/entrance.ts'

/** The header in which a page sends its token with each change. */
export const TOKEN_HEADER = 'x-page-token'
/** The header with which a page says that no one has touched it: that it asks by itself. */
const UNATTENDED_HEADER = 'x-page-unattended'

/** `__Host-` binds a cookie to this host and to https. Browsers refuse it over plain http, from loopback too. */
const SECURE_PREFIX = '__Host-'
/**
 * The pages that people sign in to. Each has a session of its own, so that two people can be open in one browser: a cookie
 * per path would not reach the paths that both pages call.
 */
export type Place = 'inbox' | 'console'
const SESSIONS: Readonly<Record<Place, string>> = { inbox: 'countersign', console: 'countersign-console' }
/** The header in which a page says which of the two it is. */
export const PLACE_HEADER = 'x-page-place'
/** Names the device; it opens nothing. */
const DEVICE = 'countersign-device'
/** Of a sign-in that was sent to the provider of single sign-on. */
const SIGN_ON = 'countersign-sign-on'
/** A sign-in that lacks a second factor. */
const STEP = 'countersign-step'

const host = (req: Request): string => req.headers.host ?? ''
const isLoopback = (req: Request): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host(req))

export const sessionIdOf = (req: Request): string | null => sessionIn(req, heldPlace(req))
export const sessionIn = (req: Request, place: Place): string | null => cookieOf(req, SESSIONS[place])
export const placeFor = (role: Role): Place => (role === 'signer' ? 'inbox' : 'console')

/** Returns the place whose session the request uses. What is no page, and says no place, uses the only one that it has. */
function heldPlace(req: Request): Place {
  const stated = req.headers[PLACE_HEADER]
  if (stated === 'inbox' || stated === 'console') return stated
  const [own, other] = req.originalUrl.startsWith('/admin/') ? CONSOLE_FIRST : INBOX_FIRST
  return sessionIn(req, own) === null && sessionIn(req, other) !== null ? other : own
}
const CONSOLE_FIRST = ['console', 'inbox'] as const
const INBOX_FIRST = ['inbox', 'console'] as const

export const deviceIdOf = (req: Request): string | null => cookieOf(req, DEVICE)
export const stepIdOf = (req: Request): string | null => cookieOf(req, STEP)

/** The setting of the application that ends the names of its cookies: browsers send those of one port to all ports of a host. */
export const COOKIE_ENDING = 'ending of the names of cookies'
const endedName = (req: Request, name: string): string => `${name}${req.app?.get(COOKIE_ENDING) ?? ''}`

function cookieOf(req: Request, given: string): string | null {
  const cookies = parseCookie(req.headers.cookie ?? '')
  const name = endedName(req, given)
  // Beyond loopback a plain cookie may have been planted by a neighbouring host.
  return cookies[`${SECURE_PREFIX}${name}`] || (isLoopback(req) && cookies[name]) || null
}

export const giveSession = (req: Request, res: Response, place: Place, id: string): void =>
  give(req, res, SESSIONS[place], id, SESSION_LIFE_MS)
export const giveDevice = (req: Request, res: Response, id: string): void => give(req, res, DEVICE, id, DEVICE_LIFE_MS)
export const giveStep = (req: Request, res: Response, id: string): void => give(req, res, STEP, id, SIGN_IN_STEP_MS)

export const signOnSecretOf = (req: Request): string | null => cookieOf(req, SIGN_ON)
/** Lax, because it has to come along when the browser comes from the site of the provider. */
export const giveSignOnSecret = (req: Request, res: Response, secret: string): void =>
  give(req, res, SIGN_ON, secret, SIGN_ON_LIFE_MS, 'lax')

function give(req: Request, res: Response, name: string, value: string, maxAge: number, sameSite?: 'lax'): void {
  const secure = isSecure(req)
  res.cookie(nameOf(endedName(req, name), secure), value, { ...attributes(secure, sameSite), maxAge })
}

export const dropSession = (req: Request, res: Response): void => drop(req, res, SESSIONS[heldPlace(req)])
export const dropSignOnSecret = (req: Request, res: Response): void => drop(req, res, SIGN_ON)
export const dropStep = (req: Request, res: Response): void => drop(req, res, STEP)

function drop(req: Request, res: Response, name: string): void {
  const secure = isSecure(req)
  res.clearCookie(nameOf(endedName(req, name), secure), attributes(secure))
}

const nameOf = (name: string, secure: boolean) => (secure ? `${SECURE_PREFIX}${name}` : name)

const attributes = (secure: boolean, sameSite: 'strict' | 'lax' = 'strict') =>
  ({ httpOnly: true, sameSite, secure, path: '/' }) as const

/** Behind a proxy the connection is plain here, but the browser says in Origin how it got there. */
const isSecure = (req: Request): boolean => req.headers.origin?.startsWith('https:') ?? !isLoopback(req)

/** Sets the visitor where there is one. `isUse: false`, for calls that a page makes by itself, keeps no session alive. */
export const visit =
  (entrance: Entrance, { isUse } = { isUse: true }): RequestHandler =>
  async (req, res, next) => {
    const sessionId = sessionIdOf(req)
    const isByItself = req.headers[UNATTENDED_HEADER] !== undefined
    const visitor =
      sessionId && (await entrance.visitorOf(sessionId, { isUse: isUse && !isByItself, network: networkOf(req.ip) }))
    if (visitor) res.locals.visitor = visitor
    next()
  }

/** Refuses everybody who is not signed in with one of these roles. */
export const only =
  (...roles: readonly Role[]): RequestHandler =>
  (_req, res, next) => {
    const { visitor } = res.locals
    if (!visitor) throw new Refusal('signedOut', 'Sign in first: there is no session, or it has ended.')
    if (!roles.includes(visitor.role)) throw new Refusal('forbidden', `This is not for the role ${visitor.role}.`)
    next()
  }

/** Refuses a change that the page of another site may have made the browser ask for. */
export const fromOurPage: RequestHandler = (req, _res, next) => {
  const { origin } = req.headers
  if (!origin || !URL.canParse(origin) || new URL(origin).host !== host(req))
    throw new Refusal(
      'forbidden',
      'origin: this page was opened at an address other than the one that the service sees. A proxy must pass the Host header on.',
    ).inPlainWords(
      'This page was opened at an address other than the one that the service sees. Tell the operator of the service.',
    )
  if (!origin.startsWith('https:') && !isLoopback(req))
    throw new Refusal('forbidden', 'origin: open this page over https, or on this machine itself.').inPlainWords(
      'Open this page over https, or on the machine of the service itself.',
    )
  next()
}

/** Refuses a change without the token of its session. Comes after `fromOurPage`. */
export const withToken =
  (entrance: Entrance): RequestHandler =>
  (req, _res, next) => {
    const sessionId = sessionIdOf(req)
    const token = req.headers[TOKEN_HEADER]
    if (!sessionId || typeof token !== 'string' || !entrance.isTokenOf(sessionId, token))
      throw new Refusal(
        'forbidden',
        `${TOKEN_HEADER}: not the token of this session. Load the page again.`,
      ).inPlainWords('This page belongs to an earlier session. Load it again.')
    next()
  }
