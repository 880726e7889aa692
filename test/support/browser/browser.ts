/** A real Chromium on the service's pages. Everything a page reports as an error, a refused policy included, is kept. */
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { overhear } from '../overheard.ts'
import { patience } from '../patience.ts'
import { chromiumToDrive } from './chromium.ts'
import { screenshot } from './screenshot.ts'

const root = join(import.meta.dirname, '../../..')
const screenshots = join(root, 'test/pages/screenshots')
const built = join(root, 'dist/server/web/inbox.html')

export const openBrowser = async (): Promise<Browser> =>
  chromium.launch({ ...(await chromiumToDrive()), args: ['--no-sandbox', '--disable-dev-shm-usage'] })

let isBuilt = false

function mustBeBuilt(): void {
  if (isBuilt) return
  const sources = globSync('server/web/**/*.{ts,tsx,css,html,svg}', { cwd: root })
  const newest = Math.max(...sources.map((path) => statSync(join(root, path)).mtimeMs))
  if (!existsSync(built) || statSync(built).mtimeMs < newest)
    throw new Error('The pages are not built, or older than their sources. Run node scripts/build-web.ts first.')
  isBuilt = true
}

export interface Look {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  timeZone?: string
  /** The language of the browser; American English where it is omitted. */
  locale?: string
  /** A phone: a finger, and no mouse. */
  touch?: boolean
}

export interface Opened {
  page: Page
  errors: string[]
  /** The colour scheme that it was opened in. */
  scheme: 'light' | 'dark'
  /** Takes a picture, which bears the name of the scheme that is shown; see `screenshot`. */
  shoot(name: string, shown?: 'light' | 'dark'): Promise<void>
  close(): Promise<void>
}

/** A page in a browser profile of its own: nothing is shared with other visitors. */
export async function visitor(
  browser: Browser,
  {
    width = 1280,
    height = 900,
    scheme = 'light',
    timeZone = 'America/Chicago',
    locale = 'en-US',
    touch = false,
  }: Look = {},
): Promise<Opened> {
  mustBeBuilt()
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale,
    timezoneId: timeZone,
    acceptDownloads: true,
    hasTouch: touch,
    isMobile: touch,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(patience(30_000))
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('pageerror', (error) => overhear(`${error.message} ${error.stack}`))
  page.on('console', (message) => overhear(message.text()))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  return {
    page,
    errors,
    scheme,
    shoot: (name, shown = scheme) => screenshot(page, join(screenshots, `${name}-${width}-${shown}.png`)),
    close: () => context.close(),
  }
}
