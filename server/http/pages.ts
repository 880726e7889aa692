/** Serves the built pages and what they load, the same for everybody: nothing here knows a visitor or a document. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
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

/** Assets that the pages of the service and the page of Node-RED's editor share. */
const SHARED_ASSETS = fileURLToPath(fileAt(`${isBuilt ? '../' : ''}resources/placing/assets`))

/** Folders that the reader of the pages fetches and that of the worker threads reads. */
const READER_FOLDERS = ['cmaps', 'standard_fonts', 'wasm']

/** Browsers ask for an icon of what is no page, too. The name of the built file has a hash of its content. */
const icon: RequestHandler = async (_req, res, next) => {
  const names = await readdir(join(BUILT_PAGES, 'assets')).catch(() => [])
  const name = names.find((one) => /^countersign-[\w-]+\.svg$/.test(one))
  if (name === undefined) next()
  else res.redirect(302, `/web/assets/${name}`)
}

/** @param sandbox whether there is a control room */
export function pageRoutes({ sandbox }: { sandbox: boolean }): Router {
  const routes = Router()
  const all = { ...pages, ...(sandbox && { '/sandbox': 'sandbox.html' }) }
  for (const [path, file] of Object.entries(all)) {
    const page = sent(file)
    routes.get(path, loggedRoute(path), page, missed, whileBuildsChange, page, missed, notBuilt)
  }
  // Programs that ask for it read that nothing is here, as before.
  const home = sent('home.html')
  const forPeople: RequestHandler = (req, res, next) => {
    res.vary('Accept')
    next(req.accepts(['json', 'html']) === 'html' ? undefined : 'route')
  }
  routes.get('/', loggedRoute('/'), forPeople, home, missed, whileBuildsChange, home, missed, notBuilt)
  routes.get('/favicon.ico', loggedRoute('/favicon.ico'), icon, missed, whileBuildsChange, icon, missed, notBuilt)
  for (const folder of READER_FOLDERS) {
    const files = express.static(join(readerAssets(), folder), { index: false, redirect: false })
    routes.use(`/web/pdfjs/${folder}`, loggedRoute('/web'), files, missed, whileBuildsChange, files)
  }
  const files = express.static(BUILT_PAGES, { index: false, redirect: false, setHeaders: keepForGood })
  const shared = express.static(SHARED_ASSETS, { index: false, redirect: false, setHeaders: keepForGood })
  routes.use('/web/assets', loggedRoute('/web'), shared, missed)
  routes.use('/web', loggedRoute('/web'), files, missed, whileBuildsChange, files)
  return routes
}

const sent =
  (file: string): RequestHandler =>
  (_req, res, next) =>
    // Express also calls back when the page was sent; going on then would send a second answer.
    res.sendFile(file, { root: BUILT_PAGES, cacheControl: false }, (failure) => failure && next(failure))

/** Continues where there is no such file, also when it went as it was about to be sent. */
const missed: ErrorRequestHandler = (failure, _req, res, next) => {
  if (failure.code !== 'ENOENT' || res.headersSent) return next(failure)
  for (const header of ['ETag', 'Last-Modified', 'Content-Length']) res.removeHeader(header)
  next()
}

/** Waits for a build that takes the place of the one before: that takes two renames, and between them there are no pages. */
async function whileBuildsChange(_req: Request, _res: Response, next: NextFunction): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS && !existsSync(BUILT_PAGES); looks++) await pause(LOOK_EVERY_MS)
  next()
}
const [LOOK_EVERY_MS, MAX_LOOKS] = [20, 50]

function notBuilt(): never {
  throw new Refusal('unavailable', 'The pages are not built. Run npm run build, then load this page again.')
}

/** The names of these files change with their content. */
function keepForGood(res: { setHeader(name: string, value: string): unknown }, file: string): void {
  if ([join(BUILT_PAGES, 'assets'), SHARED_ASSETS].some((folder) => file.startsWith(folder)))
    res.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
}
