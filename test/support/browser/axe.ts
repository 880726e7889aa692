/** Looks for accessibility faults on a page, as it is shown now. */
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** A line for each serious or critical fault, with where it is. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The policy of the page lets nobody add a script to it, so the checker is evaluated from outside.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
