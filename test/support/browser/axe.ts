/** Looks for accessibility faults on a page, as it is shown now. */
import axe, { type Result, type RunOptions } from 'axe-core'
import type { Frame, Page } from 'playwright-core'

/** A line for each serious or critical fault, with where it is: on the page, or in a part of it. */
export const accessibilityFaults = (page: Page | Frame, part?: string): Promise<string[]> => faults(page, {}, part)

/** The same for the faults that depend on the colour scheme: all others are those of the page in any scheme. */
export const colourFaults = (page: Page | Frame): Promise<string[]> =>
  faults(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } })

async function faults(page: Page | Frame, options: RunOptions, part = 'html'): Promise<string[]> {
  // The policy of the page lets nobody add a script to it, so the checker is evaluated from outside: 1.5 MB, once a document.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source)
  // What passed is most of the report, and nobody reads it.
  const run = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const violations = await page.evaluate<Result[]>(
    `axe.run(${JSON.stringify(part)}, ${run}).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
