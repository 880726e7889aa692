/** The texts of a page that is complete in its HTML, in the language of its reader. */
import type english from './languages/en/public.ts'
import { t } from './words.ts'

/** Texts without placeholders. */
type PlainKey = {
  [K in keyof typeof english]: (typeof english)[K] extends string
    ? (typeof english)[K] extends `${string}{${string}`
      ? never
      : K
    : never
}[keyof typeof english]

/** Fills in each element with `data-text`, and the title where it has `data-title`: each names the key of its text. */
export function translatePage(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]'))
    element.textContent = t(element.dataset.text as PlainKey)
  const title = document.querySelector<HTMLElement>('title[data-title]')?.dataset.title
  if (title) document.title = `${t(title as PlainKey)} · Countersign`
}
