/** Serves the built pages and what they load, the same for everybody: nothing here knows a visitor or a document. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { Router } from 'express'
import { readerAssets } from '../../lib/pdf/text/reader-files.ts'
import { fileAt, isBuilt } from '../../lib/places.ts'
import { Refusal } from '../domain/refusal.ts'
import { loggedRoute } from './logged-route.ts'

/** The file of each page, by its path. */
const pages = {
  '/console': 'console.html',
  '/docs': 'docs.html',
  '/inbox': 'inbox.html',
  '/verify': 'verify.html',
} as const

/** The sources serve what was built, too. */
export const BUILT_PAGES = fileURLToPath(fileAt(isBuilt ? 'server/web' : 'dist/server/web'))

/** What the reader of the pages fetches and that of the worker threads reads: it is there once for both. */
const READER_FOLDERS = ['cmaps', 'standard_fonts']

export function pageRoutes(): Router {
  const routes = Router()
  for (const [path, file] of Object.entries(pages))
    routes.get(path, loggedRoute(path), (_req, res, next) => {
      if (!existsSync(join(BUILT_PAGES, file)))
        throw new Refusal('unavailable', 'The pages are not built. Run npm run build, then load this page again.')
      // Express also calls back when the page was sent; going on then would send a second answer.
      res.sendFile(file, { root: BUILT_PAGES, cacheControl: false }, (failure) => failure && next(failure))
    })
  for (const folder of READER_FOLDERS)
    routes.use(
      `/web/pdfjs/${folder}`,
      loggedRoute('/web'),
      express.static(join(readerAssets(), folder), { index: false, redirect: false }),
    )
  routes.use(
    '/web',
    loggedRoute('/web'),
    express.static(BUILT_PAGES, { index: false, redirect: false, setHeaders: keepForGood }),
  )
  return routes
}

/** The names of these files change with their content. */
function keepForGood(res: { setHeader(name: string, value: string): unknown }, file: string): void {
  if (file.startsWith(join(BUILT_PAGES, 'assets')))
    res.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
}
