/**
 * Answers what the forms of the nodes that map messages ask: what would become of a message, and tables of the map from and to CSV.
 * A message that is pasted into a form has a patient in it, so nothing of it is kept, logged or repeated in a refusal.
 */
import * as z from 'zod'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { type TableName, tableFromCsv, tableNames } from '../../../lib/mapping/tables/table-from-csv.ts'
import { tableToCsv } from '../../../lib/mapping/tables/table-to-csv.ts'
import { SettingsError } from '../../../lib/settings.ts'
import { messageKinds, tryMessage } from '../mapping/try-message.ts'
import type { Handler, Response, Runtime } from '../runtime/node-red.ts'

/** In characters. Node-RED itself reads bodies up to `apiMaxLength`, which is 5 MB unless its settings say otherwise. */
const LONGEST = 4 * 1024 * 1024

const text = z.string().max(LONGEST)
const table = z.enum(tableNames)

const answering = new WeakSet<object>()

/** Called when the node file is loaded: the routes belong to the form of several node types. */
export function registerMappingRoutes(runtime: Runtime) {
  const app = runtime.httpAdmin
  if (!app || answering.has(app)) return
  answering.add(app)
  // Who may not deploy a map has no use for a trial of one.
  const mayDeploy = runtime.auth.needsPermission('flows.write')

  app.post(
    '/countersign/mapping/try',
    mayDeploy,
    answer(z.object({ kind: z.enum(messageKinds), map: text, message: text }), ({ kind, map, message }) =>
      tryMessage(kind, map, message),
    ),
  )
  app.post(
    '/countersign/mapping/table-from-csv',
    mayDeploy,
    answer(z.object({ table, csv: text }), ({ table, csv }) => ({ entries: tableFromCsv(table, csv) })),
  )
  app.post(
    '/countersign/mapping/csv-from-table',
    mayDeploy,
    answer(z.object({ table, entries: z.unknown() }), ({ table, entries }) => ({ csv: csvOf(table, entries) })),
  )
}

const csvOf = (name: TableName, entries: unknown): string => tableToCsv(name, readMapFile({ [name]: entries })[name])

/** Answers what `work` makes of the body; the reasons when what it is about has mistakes. */
function answer<S extends z.ZodType>(schema: S, work: (body: z.output<S>) => object | Promise<object>): Handler {
  return ({ body }, response) => {
    response.set({ 'cache-control': 'no-store' })
    const read = schema.safeParse(body)
    if (read.success) {
      void settle(response, async () => work(read.data))
      return
    }
    const isTooLong = read.error.issues.some(({ code }) => code === 'too_big')
    if (isTooLong) response.status(413).json({ error: 'TOO_LONG' })
    else response.status(400).json({ error: 'BAD_BODY' })
  }
}

async function settle(response: Response, work: () => Promise<object>): Promise<void> {
  try {
    response.json(await work())
  } catch (failure) {
    if (failure instanceof SettingsError) response.json({ reasons: failure.errors })
    // Its text may hold a part of the message.
    else response.status(500).json({ error: 'INTERNAL' })
  }
}
