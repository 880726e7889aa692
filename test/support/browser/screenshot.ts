/** Pictures of what tests meet, for those who want to look: no test depends on one, and each takes a fifth of a second. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'

/** Takes a picture when the tests run with `SCREENSHOTS=1`. */
export async function screenshot(page: Page, path: string): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return
  mkdirSync(dirname(path), { recursive: true })
  await page.screenshot({ path })
}
