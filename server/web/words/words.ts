/**
 * The texts of the pages in the reader's language. Each text has a key; the file of each language in `languages` has all keys,
 * with the placeholders and plurals of the English one. Another language is one more file there, and nothing else.
 *
 * A page says in its html element that it is translated (`data-translated`); any other page is in English.
 */
import type { ComponentChildren } from 'preact'
import type { English, Key, Text, Words } from './catalogue.ts'
import english from './languages/en.ts'

export type { Key } from './catalogue.ts'

type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type NamesOf<T> = T extends string ? NamesIn<T> : 'count' | NamesIn<T[keyof T]>
type Values<K extends Key, V> = [NamesOf<English[K]>] extends [never]
  ? []
  : [{ readonly [N in NamesOf<English[K]>]: V }]

/** Languages that are loaded when they are needed, by their code. */
const others: Readonly<Record<string, () => Promise<Words>>> = byCode(
  import.meta.glob('./languages/*.ts', { import: 'default' }),
)

function byCode(loaders: Record<string, () => Promise<unknown>>) {
  const coded = Object.entries(loaders).map(([path, load]) => [path.replace(/^.*\/|\.ts$/g, ''), load])
  return Object.fromEntries(coded) as Record<string, () => Promise<Words>>
}

const KEPT = 'countersign-language'
const isTranslated = document.documentElement.hasAttribute('data-translated')

/** The codes of all languages in which this page can be read. */
export const languages: readonly string[] = isTranslated ? Object.keys(others).sort() : ['en']

/** The language of the texts. */
export const language: string = (isTranslated && [kept(), ...navigator.languages].map(shortOf).find(isThere)) || 'en'
const words: Words = language === 'en' ? english : ((await others[language]?.()) ?? english)

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
const plurals = new Intl.PluralRules(language)

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
