/** Shows the page in the language of its reader, and the way to the control room where there is one: in a sandbox. */
import { render } from 'preact'
import type { Account } from '../http/callers/account.ts'
import { call, SESSION } from './shared/api.ts'
import { LanguageChoice } from './words/language-choice.tsx'
import { type Key, t } from './words/words.ts'

/** The texts of this page have no placeholders. */
type PlainKey = Extract<Key, `home.${string}`>

for (const element of document.querySelectorAll<HTMLElement>('[data-text]'))
  element.textContent = t(element.dataset.text as PlainKey)
render(<LanguageChoice />, document.querySelector('#language')!)
const { isTest } = await call<Account>('GET', SESSION, undefined, { isUse: false })
document.querySelector('#control-room')?.toggleAttribute('hidden', !isTest)
