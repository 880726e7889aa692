/** The session of a page: its cookie and that of the device, who visits, and proof that a change was asked for by a page of ours. Keeps nothing. */
import { parseCookie } from 'cookie'
import type { Request, RequestHandler, Response } from 'express'
import { DEVICE_LIFE_MS, SESSION_LIFE_MS } from '../../choices.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Role } from '../../operations/row.ts'
import type { Entrance } from '../../people/entrance.ts'

/** The header in which a page sends its token with each change. */
export const TOKEN_HEADER = 'x-page-token'

/** `__Host-` binds a cookie to this host and to https. Browsers refuse it over plain http, from loopback too. */
const SECURE_PREFIX = '__Host-'
const SESSION = 'countersign'
/** Names the device; it opens nothing. */
const DEVICE = 'countersign-device'

const host = (req: Request): string => req.headers.host ?? ''
const isLoopback = (req: Request): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host(req))

export const sessionIdOf = (req: Request): string | null => cookieOf(req, SESSION)
export const deviceIdOf = (req: Request): string | null => cookieOf(req, DEVICE)

function cookieOf(req: Request, name: string): string | null {
  const cookies = parseCookie(req.headers.cookie ?? '')
  // Beyond loopback a plain cookie may have been planted by a neighbouring host.
  return cookies[`${SECURE_PREFIX}${name}`] || (isLoopback(req) && cookies[name]) || null
}

export const giveSession = (req: Request, res: Response, id: string): void =>
  give(req, res, SESSION, id, SESSION_LIFE_MS)
export const giveDevice = (req: Request, res: Response, id: string): void => give(req, res, DEVICE, id, DEVICE_LIFE_MS)

function give(req: Request, res: Response, name: string, value: string, maxAge: number): void {
  const secure = isSecure(req)
  res.cookie(nameOf(name, secure), value, { ...attributes(secure), maxAge })
}

export function dropSession(req: Request, res: Response): void {
  const secure = isSecure(req)
  res.clearCookie(nameOf(SESSION, secure), attributes(secure))
}

const nameOf = (name: string, secure: boolean) => (secure ? `${SECURE_PREFIX}${name}` : name)

const attributes = (secure: boolean) => ({ httpOnly: true, sameSite: 'strict', secure, path: '/' }) as const

/** Behind a proxy the connection is plain here, but the browser says in Origin how it got there. */
const isSecure = (req: Request): boolean => req.headers.origin?.startsWith('https:') ?? !isLoopback(req)

/** Sets the visitor where there is one. `isUse: false`, for calls that a page makes by itself, keeps no session alive. */
export const visit =
  (entrance: Entrance, how = { isUse: true }): RequestHandler =>
  async (req, res, next) => {
    const sessionId = sessionIdOf(req)
    const visitor = sessionId && (await entrance.visitorOf(sessionId, how))
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
    )
  if (!origin.startsWith('https:') && !isLoopback(req))
    throw new Refusal('forbidden', 'origin: open this page over https, or on this machine itself.')
  next()
}

/** Refuses a change without the token of its session. Comes after `fromOurPage`. */
export const withToken =
  (entrance: Entrance): RequestHandler =>
  (req, _res, next) => {
    const sessionId = sessionIdOf(req)
    const token = req.headers[TOKEN_HEADER]
    if (!sessionId || typeof token !== 'string' || !entrance.isTokenOf(sessionId, token))
      throw new Refusal('forbidden', `${TOKEN_HEADER}: not the token of this session. Load the page again.`)
    next()
  }
