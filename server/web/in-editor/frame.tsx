/** Shows the fields of a node on a sample PDF, in the language and the colours of the editor around it. */
import { render } from 'preact'
import { WithWords } from '../placing/use-words.ts'
import { wordsOf } from '../placing/words.ts'
import { Announcements } from '../shared/announce.tsx'
import { PlaceFields, type PlaceFieldsProps } from './place-fields.tsx'

export interface Surroundings {
  /** The text of that name in the language of the editor. */
  textOf(name: string): string
  language: string
  isDark: boolean
}

export function showFields({ textOf, language, isDark, ...asked }: PlaceFieldsProps & Surroundings): void {
  document.documentElement.lang = language
  show(isDark ? 'dark' : 'light')
  render(
    <WithWords value={wordsOf(textOf)}>
      <PlaceFields {...asked} />
      <Announcements />
    </WithWords>,
    document.getElementById('page')!,
  )
}

/** Shows the colours that the editor has, whichever scheme the browser prefers. */
function show(scheme: 'light' | 'dark') {
  document.documentElement.style.colorScheme = scheme
  for (const { cssRules } of document.styleSheets)
    for (const rule of cssRules)
      if (rule instanceof CSSMediaRule && rule.conditionText.includes('prefers-color-scheme'))
        rule.media.mediaText = rule.conditionText.includes(scheme) ? 'all' : 'not all'
}
