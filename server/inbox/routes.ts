/** The inbox's server: what waits for the signer who is signed in, and what he does with it. No URL here holds more than an id. */
import type { Response, Router } from 'express'
import * as z from 'zod'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { optional, pathId } from '../../lib/contract/primitives.ts'
import { DEFAULT_PAGE_SIZE, MAX_SIGNING_BODY_BYTES, OVERDUE_AFTER_MS } from '../choices.ts'
import { Refusal } from '../domain/refusal.ts'
import { type PageCall, pageApi } from '../http/page-api.ts'
import { parse } from '../http/parse.ts'
import type { Room } from '../http/room.ts'
import type { Entrance } from '../people/entrance.ts'
import type { Signing } from '../signing/sign.ts'
import type { Store } from '../store/store.ts'
import { opened, past, RejectBody, SignBody, waiting } from './messages.ts'

export interface InboxParts {
  store: Pick<Store, 'forSigner'>
  signing: Signing
  entrance: Entrance
  clock: Clock
  /** For the bodies while they are in memory. */
  room: Room
}

const Page = z.strictObject({ before: optional(pathId()) })

export function inboxRoutes({ store, signing, entrance, clock, room }: InboxParts): Router {
  const { router, serve } = pageApi({ entrance, prefix: '/inbox/api', roles: ['signer'], room })
  const overdueBefore = () => new Date(clock.now() - OVERDUE_AFTER_MS)
  /** Bound to the signer: nothing of anybody else can be reached through it. */
  const mine = ({ visitor, by }: PageCall) => store.forSigner(visitor.npi!, by)
  const scopeOf = ({ visitor }: PageCall) => ({ signerNpi: visitor.npi! })

  serve('get', '/documents', async (call) =>
    (await mine(call).waiting()).map((document) => waiting(document, overdueBefore())),
  )
  serve('get', '/documents/:taskId', async (call) =>
    opened((await mine(call).open(call.id)) ?? gone(call.id), overdueBefore()),
  )
  serve('get', '/documents/:taskId/pdf', async (call) =>
    sendPdf(call, 'inline', await mine(call).waitingPdf(call.id, timeOf(clock))),
  )
  serve(
    'post',
    '/documents/:taskId/sign',
    async (call) => {
      const { sha256, values, drawn, keep, timeZone } = parse(SignBody, call.body)
      await signing.sign(scopeOf(call), call.id, call.by, {
        values,
        signatureImage: drawn,
        shownSha256: sha256,
        timeZone,
      })
      if (drawn && keep) await mine(call).keepSignature(drawn, timeOf(clock))
    },
    { maxBodyBytes: MAX_SIGNING_BODY_BYTES },
  )
  serve('post', '/documents/:taskId/reject', (call) =>
    signing.reject(scopeOf(call), call.id, call.by, parse(RejectBody, call.body).reason.trim()),
  )
  serve('get', '/past', async (call) =>
    (await mine(call).past(DEFAULT_PAGE_SIZE, parse(Page, call.query).before ?? undefined)).map(past),
  )
  serve('get', '/past/:taskId/pdf', async (call) =>
    sendPdf(call, 'attachment', await mine(call).signedPdf(call.id, timeOf(clock))),
  )
  serve('get', '/signature', async (call) => ({ drawn: (await mine(call).signature())?.toString('base64') ?? null }))
  serve('delete', '/signature', (call) => mine(call).forgetSignature())
  return router
}

/** A document of somebody else and one that does not exist look the same. */
function gone(taskId: number): never {
  throw new Refusal('notFound', `Document ${taskId} does not wait for you, or not any more.`)
}

function sendPdf({ id, res }: { id: number; res: Response }, how: 'inline' | 'attachment', pdf: Buffer | null): void {
  if (!pdf) gone(id)
  res.setHeader('Content-Type', 'application/pdf')
  res.setHeader('Content-Disposition', `${how}; filename="document-${id}.pdf"`)
  res.send(pdf)
}
