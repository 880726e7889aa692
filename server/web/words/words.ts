/**
 * The texts of the pages in the reader's language. Each text has a key; the folder of each language in `languages` has the same
 * files with the same keys, placeholders and plurals as the English one. Another language is one more folder there, and nothing
 * else.
 *
 * A page names in its html element (`data-words`) the files that it loads, in one language alone.
 */
import type { ComponentChildren } from 'preact'
import type { English, Key, Text, Words } from './catalogue.ts'

export type { Key } from './catalogue.ts'

type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type NamesOf<T> = T extends string ? NamesIn<T> : 'count' | NamesIn<T[keyof T]>
type Values<K extends Key, V> = [NamesOf<English[K]>] extends [never]
  ? []
  : [{ readonly [N in NamesOf<English[K]>]: V }]

/** The files of all languages, each loaded when it is needed: `./languages/en/shared.ts`. */
const files = import.meta.glob<Partial<Words>>('./languages/*/*.ts', { import: 'default' })

const KEPT = 'countersign-language'
const { words: needed = '', language: given = '' } = document.documentElement.dataset

/** The codes of all languages in which pages can be read. */
export const languages: readonly string[] = [...new Set(Object.keys(files).map((path) => path.split('/')[2]!))].sort()

/** The language of the texts: that of a page around this one, the one that was chosen, or the first of the browser's that is there. */
export const language: string = [given, kept(), ...navigator.languages].map(shortOf).find(isThere) ?? 'en'
const words = Object.assign(
  {},
  ...(await Promise.all(needed.split(' ').map((part) => files[`./languages/${language}/${part}.ts`]!()))),
) as Words

/** The language of dates and numbers: as the browser has it, such as `es-MX`, if it is of this language. */
export const locale: string = navigator.languages.find((wanted) => shortOf(wanted) === language) ?? language

document.documentElement.lang = language

/** Keeps the choice in this browser, and opens the page again in that language. */
export function choose(code: string): void {
  try {
    localStorage.setItem(KEPT, code)
  } catch {
    // A browser that keeps nothing: the page stays in the language of the browser.
  }
  location.reload()
}

function kept(): string {
  try {
    return localStorage.getItem(KEPT) ?? ''
  } catch {
    return ''
  }
}

function shortOf(code: string): string {
  return code.split('-')[0]?.toLowerCase() ?? ''
}

function isThere(code: string): boolean {
  return languages.includes(code)
}

const numbers = new Intl.NumberFormat(locale)
const lists = new Intl.ListFormat(locale)
const plurals = new Intl.PluralRules(language)

/** Returns the names as a list in a sentence. */
export const listed = (names: readonly string[]): string => lists.format(names)

/** Returns the text; a number in it is written as the language writes numbers, so an id has to be given as a text. */
export function t<K extends Key>(key: K, ...[values]: Values<K, string | number>): string {
  return partsOf<string | number>(key, values).join('')
}

/** Returns the parts of a text that has elements of the page in it. */
export function parts<K extends Key>(key: K, ...[values]: Values<K, ComponentChildren>): ComponentChildren[] {
  return partsOf<ComponentChildren>(key, values)
}

function partsOf<V>(key: Key, given: object = {}): (V | string)[] {
  const values = given as Readonly<Record<string, V>>
  const text = formOf(words[key], values.count)
  return text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part
    const value = values[part] ?? ''
    return typeof value === 'number' ? numbers.format(value) : value
  })
}

function formOf(text: Text, count: unknown): string {
  if (typeof text === 'string') return text
  return text[plurals.select(Number(count))] ?? text.other
}
