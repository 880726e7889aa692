/** The form of the file of a language: all keys of the English one, each as a text or as plurals, as it is there. */
import type english from './languages/en.ts'

/** A text with a number in it has one form for each plural of its language, chosen by `count`. */
export type Text = string | Plural
export type Plural = Readonly<Record<'other', string>> & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

export type English = typeof english
export type Key = keyof English
/** A language: a missing or superfluous key does not compile. */
export type Words = { readonly [K in Key]: English[K] extends string ? string : Plural }
