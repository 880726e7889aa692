/** The catalogues in German, French and Spanish say all that the English one says, and name the interface as it does. */
import { expect } from 'chai'
import { ENGLISH, filesOf, helpOf, setsOf, TRANSLATIONS, textsOf } from '../support/node-red/catalogues.ts'

const catalogues = setsOf('json')
const helps = setsOf('html')
const placeholders = (text: string) => (text.match(/__\w+?__/g) ?? []).sort()

/** A text of more than three words cannot be the same in two languages. What is typed as an example stays as it is. */
const isSentence = (key: string, text: string) => text.split(/\s+/).length > 3 && !key.startsWith('placeholder.')

/** Each English text of the catalogues, and what a language has in its places. */
function dictionary(language: string): Map<string, string[]> {
  const words = new Map<string, string[]>()
  for (const set of catalogues) {
    const translated = textsOf(language, set)
    for (const [key, english] of textsOf(ENGLISH, set)) {
      const known = words.get(english) ?? []
      words.set(english, [...known, translated.get(key) ?? ''])
    }
  }
  return words
}

for (const language of TRANSLATIONS)
  describe(`the catalogue ${language}`, () => {
    it('has the files of the English one', () => {
      expect(filesOf(language)).to.deep.equal(filesOf(ENGLISH))
    })

    for (const set of catalogues)
      it(`has each text of ${set}, with its placeholders`, () => {
        const english = textsOf(ENGLISH, set)
        const translated = textsOf(language, set)
        expect([...translated.keys()]).to.deep.equal([...english.keys()])
        for (const [key, text] of translated) {
          const original = english.get(key)!
          expect(text.trim(), key).to.not.equal('')
          expect(placeholders(text), key).to.deep.equal(placeholders(original))
          if (isSentence(key, original)) expect(text, `${key} is not translated`).to.not.equal(original)
          // A status stands beneath its node, among others.
          if (key.startsWith('status.')) expect(text.length, `${key}: ${text}`).to.be.lessThan(original.length + 12)
        }
      })

    for (const set of helps)
      it(`explains ${set} as the English help does: the same parts, properties and codes`, () => {
        const english = helpOf(ENGLISH, set)
        const translated = helpOf(language, set)
        expect(translated.map(({ structure }) => structure)).to.deep.equal(english.map(({ structure }) => structure))
        for (const [index, { names, words }] of translated.entries()) {
          const original = english[index]!
          expect(names, words).to.deep.equal(original.names)
          expect(words === '', words).to.equal(original.words === '')
          if (isSentence('', original.words)) expect(words, 'not translated').to.not.equal(original.words)
        }
      })

    it('calls the parts of forms in its help pages as the forms call them', () => {
      const words = dictionary(language)
      for (const set of helps)
        for (const [index, { bold }] of helpOf(ENGLISH, set).entries()) {
          const translated = helpOf(language, set)[index]!.bold
          expect(translated.length, `${set}: ${bold}`).to.equal(bold.length)
          for (const label of bold.filter((word) => words.has(word)))
            expect(translated, `${set}: ${label}`).to.satisfy((found: string[]) =>
              words.get(label)!.some((word) => found.includes(word)),
            )
        }
    })
  })
