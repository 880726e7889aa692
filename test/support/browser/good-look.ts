/** Checks what every page has to be, on a page as it is shown now, and takes its picture for a person to look at. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { accessibilityFaults, colourFaults } from './axe.ts'
import type { Opened } from './browser.ts'

/** The screens that a page has to look good on. One begins light and one dark; `goodLook` shows each in both schemes. */
export const looks = [
  { width: 1280, height: 900, scheme: 'light' },
  { width: 390, height: 844, scheme: 'dark' },
] as const

export async function goodLook(
  { page, shoot, scheme }: Pick<Opened, 'page' | 'shoot' | 'scheme'>,
  name: string,
): Promise<void> {
  await shoot(name)
  expect(await accessibilityFaults(page), name).to.deep.equal([])
  const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate<number>(wide), `${name} is wider than the screen`).to.equal(0)
  if (page.viewportSize()!.width < 500) expect(await smallTargets(page), `${name}, for a finger`).to.deep.equal([])

  const other = scheme === 'light' ? 'dark' : 'light'
  await page.emulateMedia({ colorScheme: other })
  await shoot(name, other)
  expect(await colourFaults(page), `${name}, ${other}`).to.deep.equal([])
  await page.emulateMedia({ colorScheme: scheme })
}

/**
 * What a finger would miss: controls below 44 pixels. A control in a label is as large as the label. Fields stand where the
 * sender put them on the page, whose size is changed with buttons; links inside a sentence are as high as its line.
 */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    [...(document.querySelector('dialog[open]') ?? document).querySelectorAll('a, button, input, select, textarea, summary')]
      .filter((control) => !control.closest('.sheet, .textLayer, p'))
      .map((control) => control.closest('label') ?? control)
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(({ target, box }) => target.checkVisibility() && (box.height < 43.5 || box.width < 43.5))
      .map(({ target, box }) =>
        target.tagName + ' ' + (target.ariaLabel || target.textContent).trim().slice(0, 40) + ' ' +
        Math.round(box.width) + 'x' + Math.round(box.height))
  `)
