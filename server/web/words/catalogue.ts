/** The form of the texts of a language: those of each part have the keys of the English ones, each as a text or as plurals, as it is there. */

import type console from './languages/en/console.ts'
import type inbox from './languages/en/inbox.ts'
import type publicPages from './languages/en/public.ts'
import type room from './languages/en/room.ts'
import type setUp from './languages/en/set-up.ts'
import type settings from './languages/en/settings.ts'
import type shared from './languages/en/shared.ts'
import type story from './languages/en/story.ts'

/** A text with a number in it has one form for each plural of its language, chosen by `count`. */
export type Text = string | Plural
export type Plural = Readonly<Record<'other', string>> & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

/** The parts of the texts; a page names in its html element (`data-words`) those that it loads. */
interface Parts {
  shared: typeof shared
  console: typeof console
  inbox: typeof inbox
  public: typeof publicPages
  room: typeof room
  settings: typeof settings
  'set-up': typeof setUp
  story: typeof story
}
export type Part = keyof Parts

export type English = Parts[Part] extends infer P ? { [K in P extends unknown ? keyof P : never]: TextIn<P, K> } : never
type TextIn<P, K> = P extends unknown ? (K extends keyof P ? P[K] : never) : never
export type Key = keyof English

/** A part in another language: a missing or superfluous key does not compile. */
export type WordsOf<P extends Part> = { readonly [K in keyof Parts[P]]: Parts[P][K] extends string ? string : Plural }
export type Words = { readonly [K in Key]: English[K] extends string ? string : Plural }
