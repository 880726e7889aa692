/**
 * The routes of the sidebar for held messages and acts on them. The list has no contents; to see a message, and to act on it,
 * users need the permission to write.
 */
import { anyPathId } from '../../../lib/contract/primitives.ts'
import { desks } from '../held/desks.ts'
import type { HeldQueue, HeldRow } from '../held/held-queue.ts'
import { largePayload, largeTextInJson } from '../large/in-thread.ts'
import { InputError, NodeError } from '../runtime/failures.ts'
import type { App, Handler, Request } from '../runtime/node-red.ts'
import { jsonOf, parsed, refuse } from './answers.ts'

/** The messages of one node. */
export interface HeldList {
  nodeId: string
  name: string
  /** Newest first. */
  rows: HeldRow[]
  /** False when the node holds more than these. */
  isComplete: boolean
}

type Act = (queue: HeldQueue, heldId: number, request: Request) => unknown

export function registerHeldRoutes(app: App, { mayRead, mayWrite }: Record<'mayRead' | 'mayWrite', Handler>): void {
  const path = '/countersign/held/:id'
  app.get('/countersign/held', mayRead, answering(lists))
  app.get(`${path}/:heldId/text`, mayWrite, onMessage(text))
  app.post(`${path}/:heldId/edit`, mayWrite, onMessage(edit))
  app.post(`${path}/:heldId/resend`, mayWrite, onMessage(resend))
  app.post(`${path}/:heldId/discard`, mayWrite, onMessage(discard))
}

const lists = (): HeldList[] =>
  desks.all().map(({ nodeId, name, queue }) => {
    const rows = queue.list().toReversed()
    return { nodeId, name, rows, isComplete: rows.length === queue.count }
  })

const text: Act = async (queue, heldId) => largeTextInJson(await queue.payload(heldId))

const edit: Act = async (queue, heldId, request) => {
  const { text: corrected } = jsonOf(request)
  if (typeof corrected !== 'string') throw new InputError(['text: the corrected message'])
  const kept = await queue.payload(heldId)
  await queue.edit(heldId, await largePayload(corrected, kept))
}

const resend: Act = (queue, heldId, request) => {
  jsonOf(request)
  return queue.resend(heldId)
}

const discard: Act = (queue, heldId, request) => {
  jsonOf(request)
  queue.discard(heldId)
}

const onMessage = (act: Act): Handler =>
  answering((request) => {
    const desk = desks.all().find(({ nodeId }) => nodeId === request.params.id)
    if (!desk) throw new NodeError('NOT_DEPLOYED', 'The node that holds the message is not deployed. Deploy first.')
    return act(desk.queue, parsed(anyPathId(), request.params.heldId, 'heldId'), request)
  })

const answering =
  (work: (request: Request) => unknown): Handler =>
  (request, response) => {
    response.set({ 'cache-control': 'no-store' })
    const answered = async () => {
      const answer = (await work(request)) ?? {}
      // JSON that a thread has written.
      if (answer instanceof Uint8Array) response.set({ 'content-type': 'application/json; charset=utf-8' }).end(answer)
      else response.json(answer)
    }
    answered().catch((failure: unknown) => refuse(response, failure))
  }
