/** The inbox's server: what waits for the signer who is signed in, and what he does with it. No URL here holds more than an id. */
import { type RequestHandler, type Response, Router } from 'express'
import * as z from 'zod'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { optional, pathId } from '../../lib/contract/primitives.ts'
import { DEFAULT_PAGE_SIZE, MAX_SIGNING_BODY_BYTES, MAX_SMALL_BODY_BYTES, OVERDUE_AFTER_MS } from '../choices.ts'
import { Refusal } from '../domain/refusal.ts'
import { jsonBody } from '../http/json-body.ts'
import { parse } from '../http/parse.ts'
import { fromOurPage, only, visit, withToken } from '../http/visit.ts'
import type { Entrance } from '../people/entrance.ts'
import type { Signing } from '../signing/sign.ts'
import type { SignerStore, Store } from '../store/store.ts'
import { opened, past, RejectBody, SignBody, waiting } from './messages.ts'

export interface InboxParts {
  store: Pick<Store, 'forSigner'>
  signing: Signing
  entrance: Entrance
  clock: Clock
}

interface Visit {
  npi: string
  /** Bound to the signer: nothing of anybody else can be reached through it. */
  mine: SignerStore
  taskId: number
  body: unknown
  query: unknown
  res: Response
}

const Page = z.strictObject({ before: optional(pathId()) })
const TaskPath = z.object({ id: pathId() })

export function inboxRoutes({ store, signing, entrance, clock }: InboxParts): Router {
  const router = Router()
  const overdueBefore = () => new Date(clock.now() - OVERDUE_AFTER_MS)

  const serve = (
    method: 'get' | 'post' | 'delete',
    path: string,
    run: (visit: Visit) => Promise<unknown>,
    maxBodyBytes = MAX_SMALL_BODY_BYTES,
  ) => {
    const template = `/inbox/api${path}`
    const note: RequestHandler = (_req, res, next) => {
      res.locals.template = template
      next()
    }
    const isChange = method !== 'get'
    const proof = isChange ? [fromOurPage, withToken(entrance)] : []
    const body = method === 'post' ? jsonBody(maxBodyBytes) : []
    router[method](template, note, visit(entrance), only('signer'), ...proof, ...body, async (req, res) => {
      const npi = res.locals.visitor!.npi!
      const taskId = path.includes(':id') ? parse(TaskPath, req.params).id : 0
      if (taskId > 0) res.locals.taskId = taskId
      const answer = await run({ npi, mine: store.forSigner(npi), taskId, body: req.body, query: req.query, res })
      if (res.headersSent) return
      if (answer === undefined) return void res.status(204).end()
      res.json(answer)
    })
  }

  serve('get', '/documents', async ({ mine }) =>
    (await mine.waiting()).map((document) => waiting(document, overdueBefore())),
  )
  serve('get', '/documents/:id', async ({ mine, taskId }) =>
    opened((await mine.open(taskId)) ?? gone(taskId), overdueBefore()),
  )
  serve('get', '/documents/:id/pdf', async ({ mine, taskId, res }) =>
    sendPdf(res, 'inline', taskId, (await mine.waitingPdf(taskId, timeOf(clock))) ?? gone(taskId)),
  )
  serve(
    'post',
    '/documents/:id/sign',
    async ({ npi, mine, taskId, body }) => {
      const { sha256, values, drawn, keep } = parse(SignBody, body)
      await signing.sign({ signerNpi: npi }, taskId, { values, signatureImage: drawn, shownSha256: sha256 })
      if (drawn && keep) await mine.keepSignature(drawn, timeOf(clock))
    },
    MAX_SIGNING_BODY_BYTES,
  )
  serve('post', '/documents/:id/reject', async ({ npi, taskId, body }) => {
    await signing.reject({ signerNpi: npi }, taskId, parse(RejectBody, body).reason.trim())
  })
  serve('get', '/past', async ({ mine, query }) =>
    (await mine.past(DEFAULT_PAGE_SIZE, parse(Page, query).before ?? undefined)).map(past),
  )
  serve('get', '/past/:id/pdf', async ({ mine, taskId, res }) =>
    sendPdf(res, 'attachment', taskId, (await mine.signedPdf(taskId, timeOf(clock))) ?? gone(taskId)),
  )
  serve('get', '/signature', async ({ mine }) => ({ drawn: (await mine.signature())?.toString('base64') ?? null }))
  serve('delete', '/signature', ({ mine }) => mine.forgetSignature())
  return router
}

/** A document of somebody else and one that does not exist look the same. */
function gone(taskId: number): never {
  throw new Refusal('notFound', `Document ${taskId} does not wait for you, or not any more.`)
}

function sendPdf(res: Response, disposition: 'inline' | 'attachment', taskId: number, pdf: Buffer): void {
  res.setHeader('Content-Type', 'application/pdf')
  res.setHeader('Content-Disposition', `${disposition}; filename="document-${taskId}.pdf"`)
  res.send(pdf)
}
