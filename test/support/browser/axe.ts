/** Looks for accessibility faults on a page, as it is shown now. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Result, RunOptions } from 'axe-core'
import type { Frame, Page } from 'playwright-core'

/** The smaller form of it, which a browser reads in half of the time. */
const CHECKER = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A line for each serious or critical fault, with where it is: on the page, or in a part of it. */
export const accessibilityFaults = (page: Page | Frame, part?: string): Promise<string[]> => faults(page, {}, part)

/** The same for the faults that depend on the colour scheme: all others are those of the page in any scheme. */
export const colourFaults = (page: Page | Frame): Promise<string[]> =>
  faults(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } })

async function faults(page: Page | Frame, options: RunOptions, part = 'html'): Promise<string[]> {
  // The policy of the page lets nobody add a script to it, so the checker is evaluated from outside, once a document.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(CHECKER)
  // What passed is most of the report, and nobody reads it.
  const run = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const violations = await page.evaluate<Result[]>(
    `axe.run(${JSON.stringify(part)}, ${run}).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
