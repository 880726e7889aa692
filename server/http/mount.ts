/** Serves a table: its rows and what they need are loaded when the first request for one of them comes. */
import type { Express, Router } from 'express'
import type { Table } from '../operations/row.ts'
import { firstPartOf } from './doors/below.ts'
import type { Door, Mounting } from './table-routes.ts'

export interface Mounted<Context> {
  /** The first parts of the paths of its rows. */
  below: readonly string[]
  table(): Promise<Table<Context>>
  door: Door<Context>
}

/** A start would wait for hundreds of schemas and patterns. Returns what loads the table, should no one have asked for it before. */
export function mount<C>(app: Express, { below, table, door }: Mounted<C>, mounting: Mounting): () => Promise<Router> {
  let made: Promise<Router> | undefined
  const make = async () => {
    const { tableRoutes } = await import('./table-routes.ts')
    return tableRoutes(await table(), door, mounting)
  }
  const load = () => {
    made ??= make().catch((failure: unknown) => {
      // A later request tries again.
      made = undefined
      throw failure
    })
    return made
  }
  app.use(async (req, res, next) => {
    if (!below.includes(firstPartOf(req.path))) return next()
    const router = await load()
    router(req, res, next)
  })
  return load
}
