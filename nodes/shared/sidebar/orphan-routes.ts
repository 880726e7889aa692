/**
 * Serves what no node works on to the sidebar, and carries out what a person decides about it. Also counts what nodes keep, so that
 * the editor can warn before a node is removed.
 */
import * as z from 'zod'
import { decide, type OrphanList } from '../orphans/act.ts'
import { adopters } from '../runtime/adopters.ts'
import { flowsStarted } from '../runtime/flows-started.ts'
import type { App, Handler, Request, Runtime } from '../runtime/node-red.ts'
import type { ServiceNode } from '../service/connection.ts'
import { jsonOf, parsed, refuse } from './answers.ts'

type About = (
  runtime: Runtime,
  work: (service: ServiceNode, signal: AbortSignal, request: Request) => Promise<unknown>,
) => Handler

/** How long the list waits for a deploy to start its flows. */
const START_MS = 20_000

const DECISION = z.object({
  id: z.string().max(1000),
  action: z.enum(['send', 'adopt', 'discard']),
  nodeId: z.string().max(200).optional(),
  isSure: z.boolean().default(false),
})

export function registerOrphanRoutes(
  runtime: Runtime,
  app: App,
  {
    mayRead,
    mayWrite,
    about,
    orphans,
  }: Record<'mayRead' | 'mayWrite', Handler> & { about: About; orphans(service: ServiceNode): Promise<OrphanList> },
): void {
  const path = '/countersign/services/:id/orphans'
  let isDeploying = false
  runtime.events.on('flows:stopping', () => {
    isDeploying = true
  })
  runtime.events.on('flows:started', () => {
    isDeploying = false
  })
  app.get(
    path,
    mayRead,
    // Node-RED answers a deploy before the new flows have started, and the editor asks at once.
    (_request, _response, next) => {
      const started = isDeploying ? flowsStarted(runtime, AbortSignal.timeout(START_MS)) : Promise.resolve()
      started.then(() => next(), next)
    },
    // The editor asks as soon as a service is in the flows, before it is deployed.
    ({ params: { id } }, response, next) =>
      runtime.nodes.getNode(id)?.type === 'countersign-service'
        ? next()
        : response.json({ rows: [], isComplete: true }),
    about(runtime, orphans),
  )
  app.post(
    path,
    mayWrite,
    about(runtime, (service, signal, request) => {
      const { nodeId, ...decision } = parsed(DECISION, jsonOf(request), 'decision')
      return decide(runtime, service, { ...decision, nodeId }, signal)
    }),
  )
  app.get('/countersign/kept', mayRead, (request, response) => {
    response.set({ 'cache-control': 'no-store' })
    const ids = new Set(String(request.query.ids ?? '').split(','))
    const counted = adopters
      .all()
      .filter(({ nodeId }) => ids.has(nodeId))
      .map(async ({ kind, nodeId, count }) => ({ kind, nodeId, count: await count() }))
    Promise.all(counted).then(
      (all) => response.json(all.filter(({ count }) => count > 0)),
      (failure) => refuse(response, failure),
    )
  })
}
