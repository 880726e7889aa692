/** How a page's server answers: who may ask, proof that a page of ours asked for a change, and the answer as JSON. */
import { type RequestHandler, type Response, Router } from 'express'
import * as z from 'zod'
import { pathId } from '../../lib/contract/primitives.ts'
import { MAX_SMALL_BODY_BYTES } from '../choices.ts'
import type { Actor } from '../domain/audit.ts'
import type { Entrance } from '../people/entrance.ts'
import type { PersonRole, Visitor } from '../store/people.ts'
import { jsonBody } from './json-body.ts'
import { parse } from './parse.ts'
import type { Room } from './room.ts'
import { fromOurPage, only, visit, withToken } from './visit.ts'

export interface PageCall {
  visitor: Visitor
  /** The same for the audit log. */
  by: Actor
  /** The id in the path, `:taskId` or `:id`; 0 where there is none. */
  id: number
  body: unknown
  query: unknown
  res: Response
}

export interface PageApi {
  router: Router
  /** What `run` returns is the answer; 204 when it returns nothing, and nothing more when it has answered itself. */
  serve(
    method: 'get' | 'post' | 'delete',
    path: string,
    run: (call: PageCall) => unknown,
    limits?: { roles?: readonly PersonRole[]; maxBodyBytes?: number },
  ): void
}

const Path = z.object({ taskId: pathId().optional(), id: pathId().optional() })

export interface PageApiParts {
  entrance: Entrance
  /** What the paths begin with. */
  prefix: string
  /** Who may ask, unless a path says otherwise. */
  roles: readonly PersonRole[]
  /** For the bodies while they are in memory. */
  room: Room
}

export function pageApi({ entrance, prefix, roles, room }: PageApiParts): PageApi {
  const router = Router()
  return {
    router,
    serve(method, path, run, { roles: fewer = roles, maxBodyBytes = MAX_SMALL_BODY_BYTES } = {}) {
      const template = prefix + path
      const note: RequestHandler = (_req, res, next) => {
        res.locals.template = template
        next()
      }
      const proof = method === 'get' ? [] : [fromOurPage, withToken(entrance)]
      const body = method === 'post' ? jsonBody(maxBodyBytes, room) : []
      router[method](template, note, visit(entrance), only(...fewer), ...proof, ...body, async (req, res) => {
        const visitor = res.locals.visitor!
        const { taskId, id = taskId ?? 0 } = parse(Path, req.params)
        res.locals.taskId = taskId
        const by: Actor = { ...actorOf(visitor), requestId: res.locals.requestId, ip: req.ip }
        const answer = await run({ visitor, by, id, body: req.body, query: req.query, res })
        if (res.headersSent) return
        if (answer === undefined) res.status(204).end()
        else res.json(answer)
      })
    },
  }
}

const actorOf = ({ role, npi, personId }: Visitor): Pick<Actor, 'kind' | 'id'> =>
  role === 'signer' ? { kind: 'signer', id: npi } : { kind: 'operator', id: String(personId) }
