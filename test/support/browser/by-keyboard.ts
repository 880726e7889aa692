/** A page used with the keyboard alone: each control is reached with the tab key, or the test fails. */
import type { Locator, Page } from 'playwright-core'

/** More than any page has things that take the focus. */
const MOST_STEPS = 150

export function byKeyboard(page: Page) {
  const { keyboard } = page
  async function reach(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' })
    for (let step = 0; step < MOST_STEPS; step++) {
      if ((await target.and(page.locator(':focus')).count()) > 0) return
      await keyboard.press('Tab')
    }
    throw new Error(`The tab key does not lead to ${target}.`)
  }
  return {
    reach,
    press: async (target: Locator, key = 'Enter') => {
      await reach(target)
      await keyboard.press(key)
    },
    type: async (target: Locator, text: string) => {
      await reach(target)
      await keyboard.press('ControlOrMeta+A')
      await keyboard.type(text)
    },
    times: async (count: number, key: string) => {
      for (let i = 0; i < count; i++) await keyboard.press(key)
    },
  }
}
