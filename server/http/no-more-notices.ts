/**
 * Ends the e-mail notices of someone who followed the link in one. Opening the link changes nothing, because mail programs open
 * links by themselves; the button of its page does, and so does the post that a mail program makes of it (RFC 8058).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { type Clock, timeOf } from '../../lib/clock.ts'
import type { Store } from '../store/store.ts'
import { actorOf } from './callers/actor.ts'
import { loggedRoute } from './logged-route.ts'
import { BUILT_PAGES } from './pages.ts'

const PATH = '/notices/off'
const PARTS = ['ask', 'done', 'unknown'] as const

export function noMoreNotices({ notices }: Pick<Store, 'notices'>, clock: Clock): Router {
  const show =
    (decide: (req: Request, res: Response) => Promise<Part>): RequestHandler =>
    async (req, res) => {
      const part = await decide(req, res)
      res
        .status(part === 'unknown' ? 404 : 200)
        .type('html')
        .send(pageWith(part))
    }
  const router = Router()
  router.get(
    PATH,
    loggedRoute(PATH),
    show(async () => 'ask'),
  )
  router.post(
    PATH,
    loggedRoute(PATH),
    show(async (req, res) => {
      const { key } = req.query
      const isKnown =
        typeof key === 'string' && (await notices.turnOff(key, { by: actorOf(req, res), at: timeOf(clock) }))
      return isKnown ? 'done' : 'unknown'
    }),
  )
  return router
}

type Part = (typeof PARTS)[number]

/** The built page with one of its parts. */
function pageWith(wanted: Part): string {
  const page = readFileSync(join(BUILT_PAGES, 'no-more-notices.html'), 'utf8')
  return PARTS.filter((part) => part !== wanted).reduce(
    (left, part) => left.replace(new RegExp(`<section class="${part}">[\\s\\S]*?</section>`), ''),
    page,
  )
}
