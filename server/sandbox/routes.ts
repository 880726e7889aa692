/** The control plane of a sandbox: a sender acts for the signer. Only with --sandbox; never part of /api/v1. */
import { type RequestHandler, Router } from 'express'
import * as z from 'zod'
import { optional, pathId, rule } from '../../lib/contract/primitives.ts'
import type { Actor } from '../domain/audit.ts'
import { parse } from '../http/parse.ts'
import { requiredValues, type Signing } from '../signing/sign.ts'
import type { Owner } from '../store/changes.ts'
import type { Store } from '../store/store.ts'

export interface SandboxParts {
  store: Pick<Store, 'inbox'>
  signing: Signing
  /** Sets the caller from the same x-api-key as the partner interface. */
  authenticate: RequestHandler
  jsonBody: RequestHandler[]
}

/** `values` by index into the fields of the document. What is required and left out is filled in as the demo signers do. */
const SignBody = optional(
  z.object({
    values: optional(
      z.record(
        z.string().regex(/^\d+$/, 'the index of a field, from 0'),
        z.union([z.string(), z.boolean()], rule('text or true or false')),
      ),
    ),
  }),
)
const RejectBody = optional(
  z.object({
    reason: optional(z.string(rule('text of up to 500 characters')).max(500, 'text of up to 500 characters')),
  }),
)
const Path = z.object({ id: pathId() })

export function sandboxRoutes({ store, signing, authenticate, jsonBody }: SandboxParts): Router {
  const router = Router()

  const act = <S extends z.ZodType>(
    verb: string,
    schema: S,
    run: (owner: Owner, taskId: number, body: z.output<S>) => Promise<void>,
  ) => {
    const path = `/sandbox/v1/tasks/:id/${verb}`
    const note: RequestHandler = (_req, res, next) => {
      res.locals.template = path
      next()
    }
    router.post(path, note, authenticate, ...jsonBody, async (req, res) => {
      const params = parse(Path, req.params)
      const body = parse(schema, req.body)
      res.locals.taskId = params.id
      const { organizationId, keyId } = res.locals.caller!
      const by: Actor = { kind: 'key', id: keyId, requestId: res.locals.requestId, ip: req.ip }
      await run({ organizationId, by }, params.id, body)
      res.status(204).end()
    })
  }

  act('sign', SignBody, async (owner, taskId, body) => {
    const document = await store.inbox.find(owner, taskId)
    const filled = document && { ...requiredValues(document), ...body?.values }
    await signing.sign(owner, taskId, { values: filled ?? {}, signatureImage: null })
  })
  act('reject', RejectBody, (owner, taskId, body) => signing.reject(owner, taskId, body?.reason ?? null))
  return router
}
