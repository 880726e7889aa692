/** How the control plane answers: only to a key, about its own organization, in JSON. */
import type { RequestHandler, Router } from 'express'
import * as z from 'zod'
import { pathId } from '../../lib/contract/primitives.ts'
import type { Actor } from '../domain/audit.ts'
import { parse } from '../http/parse.ts'

export interface SandboxCall {
  organizationId: number
  /** The same for the audit log. */
  by: Actor
  /** The id in the path; 0 where there is none. */
  id: number
  body: unknown
}

export interface SandboxApi {
  /** What `run` returns is the answer, 201 after a POST that makes something with an id; 204 when it returns nothing. */
  serve(method: 'get' | 'post' | 'delete', path: string, run: (call: SandboxCall) => unknown): void
}

const Path = z.object({ id: pathId().optional() })

export function sandboxApi(
  router: Router,
  { authenticate, jsonBody }: { authenticate: RequestHandler; jsonBody: RequestHandler[] },
): SandboxApi {
  return {
    serve(method, path, run) {
      const template = `/sandbox/v1${path}`
      const note: RequestHandler = (_req, res, next) => {
        res.locals.template = template
        next()
      }
      router[method](template, note, authenticate, ...(method === 'post' ? jsonBody : []), async (req, res) => {
        const { id = 0 } = parse(Path, req.params)
        if (path.startsWith('/tasks/')) res.locals.taskId = id
        const { organizationId, keyId } = res.locals.caller!
        const by: Actor = { kind: 'key', id: keyId, requestId: res.locals.requestId, ip: req.ip }
        const answer = await run({ organizationId, by, id, body: req.body })
        if (answer === undefined) res.status(204).end()
        else res.status(hasId(answer) ? 201 : 200).json(answer)
      })
    },
  }
}

const hasId = (answer: unknown) => typeof answer === 'object' && answer !== null && 'id' in answer
