/**
 * The hands of a person at a page: each act is done in the browser, counted, and timed by the keystroke-level model, with its
 * usual figures. What a person reads is one preparation.
 */
import type { Locator, Page } from 'playwright-core'

/** In seconds: a key or a mouse button, pointing at something, moving a hand to the other device, and preparing an act. */
const KLM = { key: 0.28, point: 1.1, home: 0.4, prepare: 1.35 } as const

export class Hands {
  readonly page: Page
  clicks = 0
  keys = 0
  seconds = 0
  #hand: 'mouse' | 'keyboard' = 'mouse'

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.#begin('mouse')
    this.seconds += KLM.point + KLM.key
    this.clicks++
    await target.click()
  }

  /** Types where the focus is. */
  async type(text: string): Promise<void> {
    this.#begin('keyboard')
    this.#press([...text].length)
    await this.page.keyboard.type(text)
  }

  /** Presses one key, which belongs to what was typed before. */
  async press(key: string): Promise<void> {
    if (this.#hand === 'mouse') this.#begin('keyboard')
    this.#press(1)
    await this.page.keyboard.press(key)
  }

  /** Waits until the page shows it, and reads it. */
  async reads(target: Locator): Promise<void> {
    await target.first().waitFor()
    this.seconds += KLM.prepare
  }

  #press(keys: number): void {
    this.keys += keys
    this.seconds += keys * KLM.key
  }

  #begin(hand: 'mouse' | 'keyboard'): void {
    if (this.#hand !== hand) this.seconds += KLM.home
    this.#hand = hand
    this.seconds += KLM.prepare
  }
}
