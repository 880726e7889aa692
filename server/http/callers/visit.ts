/** The session of a page: its cookie, who visits, and proof that a change was asked for by a page of ours. Keeps nothing. */
import { parseCookie } from 'cookie'
import type { Request, RequestHandler, Response } from 'express'
import { SESSION_LIFE_MS } from '../../choices.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Role } from '../../operations/row.ts'
import type { Entrance } from '../../people/entrance.ts'

/** The header in which a page sends its token with each change. */
export const TOKEN_HEADER = 'x-page-token'

/** `__Host-` binds a cookie to this host and to https. Browsers refuse it over plain http, from loopback too. */
const SECURE_NAME = '__Host-countersign'
const LOOPBACK_NAME = 'countersign'

const host = (req: Request): string => req.headers.host ?? ''
const isLoopback = (req: Request): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host(req))

export function sessionIdOf(req: Request): string | null {
  const cookies = parseCookie(req.headers.cookie ?? '')
  // Beyond loopback a plain cookie may have been planted by a neighbouring host.
  return cookies[SECURE_NAME] || (isLoopback(req) && cookies[LOOPBACK_NAME]) || null
}

export function giveCookie(req: Request, res: Response, sessionId: string): void {
  const secure = isSecure(req)
  res.cookie(secure ? SECURE_NAME : LOOPBACK_NAME, sessionId, { ...attributes(secure), maxAge: SESSION_LIFE_MS })
}

export function dropCookie(req: Request, res: Response): void {
  const secure = isSecure(req)
  res.clearCookie(secure ? SECURE_NAME : LOOPBACK_NAME, attributes(secure))
}

const attributes = (secure: boolean) => ({ httpOnly: true, sameSite: 'strict', secure, path: '/' }) as const

/** Behind a proxy the connection is plain here, but the browser says in Origin how it got there. */
const isSecure = (req: Request): boolean => req.headers.origin?.startsWith('https:') ?? !isLoopback(req)

/** Sets the visitor where there is one. With `isUse: false`, for calls that a page makes by itself, the session is not kept alive. */
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
