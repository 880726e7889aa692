/** The pages of documents as pictures: of those that wait, with and without ink, and of those that were signed. No URL here holds more than ids and a width. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { pathId } from '../../../lib/contract/primitives.ts'
import { BUSY_RETRY_MS, PICTURE_WIDTHS } from '../../choices.ts'
import { Busy } from '../../domain/refusal.ts'
import type { ShownPage as DrawnPage } from '../../pdf/draw/shown-page.ts'
import { gone } from './documents.ts'
import { Pages, PictureQuery, PreviewPageBody, ShownPage } from './messages.ts'
import { type SignerContext, signerRow } from './signer-context.ts'

const ofTask = { params: z.object({ taskId: pathId() }), taskId: 'taskId', who: ['signer'] } as const
const ofPage = { ...ofTask, params: z.object({ taskId: pathId(), page: pathId() }) } as const

export const readPages = signerRow({
  ...ofTask,
  method: 'get',
  path: '/inbox/api/documents/:taskId/pages',
  group: 'Documents',
  summary: 'Begin to read a document that waits: the sizes of its pages',
  responses: { 200: Pages, 404: ErrorBody },
  run: (context, { params: { taskId } }) => sizesOf(context, 'waiting', taskId),
})

export const readPage = signerRow({
  ...ofPage,
  method: 'get',
  path: '/inbox/api/documents/:taskId/pages/:page',
  group: 'Documents',
  summary: 'Read a page of a document that waits, as a picture with its text',
  query: PictureQuery,
  responses: { 200: ShownPage, 404: ErrorBody },
  run: (context, { params: { taskId, page }, query: { width } }) => shown(context, 'waiting', taskId, page, width),
})

export const previewPage = signerRow({
  ...ofPage,
  method: 'post',
  path: '/inbox/api/documents/:taskId/preview/pages/:page',
  group: 'Documents',
  summary: 'Preview a page with the ink that signing would seal',
  query: PictureQuery,
  body: PreviewPageBody,
  reads: 'signing',
  responses: { 200: ShownPage, 404: ErrorBody, 409: ErrorBody },
  run: (context, { params: { taskId, page }, query: { width }, body }) =>
    inTurn(context, async () => {
      const { sha256, values, drawn, isSigned, timeZone, inkedSha256 } = body
      const draft = { values, signatureImage: drawn, isSigned, shownSha256: sha256, timeZone }
      const { previews } = context.preview
      return asSent((await previews.page(context.scope, taskId, draft, { page, width, inkedSha256 })) ?? gone(taskId))
    }),
})

export const readSignedPages = signerRow({
  ...ofTask,
  method: 'get',
  path: '/inbox/api/past/:taskId/pages',
  group: 'Past documents',
  summary: 'Begin to read a signed document: the sizes of its pages',
  responses: { 200: Pages, 404: ErrorBody },
  run: (context, { params: { taskId } }) => sizesOf(context, 'signed', taskId),
})

export const readSignedPage = signerRow({
  ...ofPage,
  method: 'get',
  path: '/inbox/api/past/:taskId/pages/:page',
  group: 'Past documents',
  summary: 'Read a page of a signed document, as a picture with its text',
  query: PictureQuery,
  responses: { 200: ShownPage, 404: ErrorBody },
  run: (context, { params: { taskId, page }, query: { width } }) => shown(context, 'signed', taskId, page, width),
})

type Kind = 'waiting' | 'signed'

const sizesOf = (context: SignerContext, kind: Kind, taskId: number) =>
  inTurn(context, async () => {
    const pdf = await read(context, kind, taskId, context.at)
    const sizes = await context.pages.shown.sizes(pdf)
    return { ...sizes, widths: [...PICTURE_WIDTHS], isDrawn: await context.inbox.isDrawn(taskId) }
  })

const shown = (context: SignerContext, kind: Kind, taskId: number, page: number, width: number) =>
  inTurn(context, async () => {
    const at = context.pages.isNoted(`${kind} ${taskId}`) ? null : context.at
    const pdf = await read(context, kind, taskId, at)
    return asSent(
      await context.pages.shown.show(`${kind} ${taskId}`, pdf, {
        page,
        width,
        inked: null,
        isSigned: kind === 'signed',
      }),
    )
  })

/** @param at null where the reading is in the audit log */
async function read({ inbox, pages }: SignerContext, kind: Kind, taskId: number, at: Date | null): Promise<Buffer> {
  const pdf = kind === 'waiting' ? await inbox.waitingPdf(taskId, at) : await inbox.signedPdf(taskId, at)
  if (!pdf) return gone(taskId)
  pages.note(`${kind} ${taskId}`)
  return pdf
}

/** Drawing is costly, so each session has a few places in the queue for it. */
async function inTurn<T>({ pages }: SignerContext, work: () => Promise<T>): Promise<T> {
  const leave = pages.takePlace()
  if (!leave) throw new Busy(BUSY_RETRY_MS, 'Too many pages are being drawn. Try again in a moment.')
  return work().finally(leave)
}

const asSent = ({ picture, type, lines, isTextReliable }: DrawnPage) => ({
  type,
  lines,
  isTextReliable,
  picture: Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength).toString('base64'),
})
