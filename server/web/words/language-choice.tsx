/** Lets the reader choose the language of the page. */
import { choose, language, languages, t } from './words.ts'

export const LanguageChoice = () =>
  languages.length > 1 && (
    <label class="language">
      <span class="visually-hidden">{t('language.choose')}</span>
      <select value={language} onChange={({ currentTarget: { value } }) => choose(value)}>
        {languages.map((code) => (
          <option key={code} value={code} lang={code}>
            {nameOf(code)}
          </option>
        ))}
      </select>
    </label>
  )

/** Each language is named in itself. */
function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return `${name[0]?.toLocaleUpperCase(code) ?? ''}${name.slice(1)}`
}
