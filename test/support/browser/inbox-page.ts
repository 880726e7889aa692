/** The inbox in a browser, as a signer uses it. */
import type { Browser, Page } from 'playwright-core'
import type { TestService } from '../service/a-service.ts'
import { type Look, visitor } from './browser.ts'

type Inbox = { service: Pick<TestService['service'], 'inboxUrl'> }

export async function openInbox(browser: Browser, { service }: Inbox, look: Look = {}) {
  const opened = await visitor(browser, look)
  const { page } = opened
  await page.goto(service.inboxUrl)
  return {
    ...opened,
    signInAs: async (name: string) => {
      await page.getByRole('button', { name }).click()
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
    },
    /** Opens a document of the list, and waits until its pages are drawn. */
    open: async (patient: string) => {
      await page.getByRole('link', { name: patient }).first().click()
      await page.locator('.sheet[data-drawn]').first().waitFor()
    },
    field: (type: string) => page.locator(`.field.${type}`),
    /** Waits until the page shows what the field was filled in with. */
    inked: (type: string) => page.locator(`.field.${type}.inked`).waitFor(),
    /** Reads what has not been shown yet, and waits until the pages are shown as they would be sealed. */
    ready: () => readToEnd(page),
    sign: async () => {
      await readToEnd(page)
      await page.getByRole('button', { name: 'Sign document' }).click()
    },
    button: (name: string | RegExp) => page.getByRole('button', { name }),
    /** Ends the session with the first request to such a path, so that no news the page asks for itself is refused before it. */
    sessionEndsAt: (path: string) =>
      page.route(path, async (route) => {
        await page.context().clearCookies()
        const { cookie: _, ...headers } = await route.request().allHeaders()
        await route.fulfill({ response: await route.fetch({ headers }) })
        await page.unroute(path)
      }),
    /** Draws on the pad of the open dialog. */
    draw: async () => {
      const pad = (await page.locator('.pad canvas').boundingBox())!
      const at = (t: number) => ({
        x: pad.x + pad.width * (0.15 + 0.7 * t),
        y: pad.y + pad.height * (0.6 - 0.25 * Math.abs(Math.sin(t * 9)) - 0.15 * t),
      })
      await page.mouse.move(at(0).x, at(0).y)
      await page.mouse.down()
      for (let i = 1; i <= 30; i++) await page.mouse.move(at(i / 30).x, at(i / 30).y)
      await page.mouse.up()
    },
    /** What the page tells of a success or a failure. */
    said: (text: string | RegExp) => page.locator('.announcement').filter({ hasText: text }).waitFor(),
  }
}

/** Presses "Continue reading" as often as it is offered. */
async function readToEnd(page: Page): Promise<void> {
  const next = page.getByRole('button', { name: /^(Continue reading|Sign document)$/, disabled: false })
  for (;;) {
    await next.waitFor()
    // In the page, because the name may change between a look at it and a click.
    const isRead = await page.evaluate<boolean>(`new Promise((resolve) => {
      const first = document.querySelector('.acts-of-guide .primary')
      if (first?.textContent === 'Sign document') return resolve(!first.disabled)
      if (first?.textContent === 'Continue reading' && !first.disabled) first.click()
      requestAnimationFrame(() => resolve(false))
    })`)
    if (isRead) return
  }
}

export type InboxPage = Awaited<ReturnType<typeof openInbox>>
