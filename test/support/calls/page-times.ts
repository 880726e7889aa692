/** How long a page of the console takes until it shows what it is for, measured in the page itself. */
import type { Page } from 'playwright-core'

/** In ms: less than a person notices, more often than a screen is painted. */
const LOOK_EVERY_MS = 4
/** In ms: a page that shows nothing by then is broken, not slow. */
const LOST_MS = 30_000

/**
 * Returns milliseconds from the address to the picture with what was asked for.
 * @param shows a selector of content, without which the page is not there yet
 */
export async function timeOfPage(page: Page, route: string, shows: string): Promise<number> {
  // No part of the console has this address: what is shown afterwards was loaded for it.
  await page.evaluate("location.hash = '#/nothing'")
  await page.getByRole('heading', { name: 'No such page' }).waitFor()
  return page.evaluate<number>(measured(`location.hash = ${JSON.stringify(`#/${route}`)}`, shows))
}

/** Returns milliseconds from Enter in the search field to the result. */
export async function timeOfSearch(page: Page, words: string, shows: string): Promise<number> {
  await page.evaluate("location.hash = '#/nothing'")
  await page.getByRole('heading', { name: 'No such page' }).waitFor()
  await page.getByRole('searchbox').fill(words)
  return page.evaluate<number>(measured("document.querySelector('form.find').requestSubmit()", shows))
}

const measured = (act: string, shows: string) => `new Promise((resolve, reject) => {
  const begun = performance.now()
  ${act}
  const look = setInterval(() => {
    if (performance.now() - begun > ${LOST_MS}) reject(new Error('The page does not show what it is for: ' + location.hash))
    if (!document.querySelector(${JSON.stringify(shows)})) return
    clearInterval(look)
    requestAnimationFrame(() => resolve(performance.now() - begun))
  }, ${LOOK_EVERY_MS})
})`
