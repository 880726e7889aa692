/** The texts of the pages: every language has all of them, and no page has a text of its own. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript-5.9'
import { preparationSentences } from '../../../lib/pdf/prepare/preparation.ts'

type Text = string | Readonly<Record<string, string>>
type Words = Readonly<Record<string, Text>>

const web = join(import.meta.dirname, '../../../server/web')
const languages = globSync('words/languages/*', { cwd: web })
const filesOf = (folder: string) => globSync(`${folder}/*.ts`, { cwd: web }).map((path) => basename(path))
const wordsIn = async (path: string) => ((await import(join(web, path))) as { default: Words }).default
/** The texts of a language; the same key in two of its files is an error. */
async function wordsOf(folder: string): Promise<Words> {
  const entries = (
    await Promise.all(filesOf(folder).map(async (file) => Object.entries(await wordsIn(`${folder}/${file}`))))
  ).flat()
  expect(new Set(entries.map(([key]) => key)).size, folder).to.equal(entries.length)
  return Object.fromEntries(entries)
}
const ENGLISH = 'words/languages/en'
const english = await wordsOf(ENGLISH)

/** The reference of the interfaces, which is in English as they are. */
const DOCS = 'docs/'
/** The name of the product, and of the kind of a file. */
const NAMES = ['Countersign', 'PDF']

const formsOf = (text: Text): Readonly<Record<string, string>> => (typeof text === 'string' ? { other: text } : text)
const placeholdersOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()

describe('The texts of the pages', () => {
  for (const folder of languages) {
    const code = basename(folder)

    it(`have in ${code} the files, keys, plurals and placeholders of English`, async () => {
      expect(filesOf(folder)).to.have.members(filesOf(ENGLISH))
      const words = await wordsOf(folder)
      expect(Object.keys(words)).to.have.members(Object.keys(english))
      const plurals = new Intl.PluralRules(code).resolvedOptions().pluralCategories
      for (const [key, text] of Object.entries(words)) {
        expect(typeof text, key).to.equal(typeof english[key])
        expect(plurals, key).to.include.members(Object.keys(formsOf(text)))
        for (const form of Object.values(formsOf(text))) {
          expect(form.trim(), key).to.equal(form).and.not.equal('')
          expect(placeholdersOf(form), key).to.deep.equal(placeholdersOf(formsOf(english[key]!).other!))
        }
      }
    })
  }

  const sources = globSync('**/*.{ts,tsx}', { cwd: web }).filter((path) => !path.startsWith('words/languages/'))

  it('are all in the catalogue', () => {
    expect(sources.filter((path) => !path.startsWith(DOCS)).flatMap(textsOutside)).to.deep.equal([])
  })

  it('are found where a page has one of its own', () => {
    const source = `const page = <p title="Not translated">Hello there {name}, {isOpen ? 'It is open.' : ''}</p>
      const columns = [{ name: 'State', id: 'Open' }]
      throw new Error('The program is wrong.')`
    expect(textsIn(source)).to.deep.equal(['Not translated', 'Hello there', 'It is open.', 'State'])
  })

  it('are each used by a page', () => {
    const code = [...sources, ...globSync('*.html', { cwd: web })]
      .map((path) => readFileSync(join(web, path), 'utf8'))
      .join()
    const computed = [...code.matchAll(/t\(`((?:\w+\.)+\w*)\$\{/g)].map(([, prefix]) => prefix!)
    const isUsed = (key: string) =>
      code.includes(`'${key}'`) || code.includes(`"${key}"`) || computed.some((prefix) => key.startsWith(prefix))
    expect(Object.keys(english).filter((key) => !isUsed(key))).to.deep.equal([])
  })

  it('of the page at the root are in its HTML as in the catalogue', () => {
    const texts = [...readFileSync(join(web, 'home.html'), 'utf8').matchAll(/data-text="([^"]+)">([^<]+)</g)]
    expect(texts.length).to.be.above(10)
    for (const [, key, text] of texts) expect(text, key).to.equal(english[key!])
  })

  it('about preparation say in English what the certificate page says', () => {
    for (const [done, sentence] of Object.entries(preparationSentences))
      expect(english[`prepared.${done}`]).to.equal(sentence)
  })

  function textsOutside(path: string): string[] {
    const isTsx = path.endsWith('x')
    return textsIn(readFileSync(join(web, path), 'utf8'), isTsx ? ts.ScriptKind.TSX : ts.ScriptKind.TS).map(
      (text) => `${relative('.', path)}: ${text}`,
    )
  }
})

/** Attributes whose value no person reads. */
const TECHNICAL = new Set([
  'aria-keyshortcuts',
  'aria-live',
  'aria-labelledby',
  'autocomplete',
  'class',
  'd',
  'for',
  'href',
  'id',
  'inputMode',
  'key',
  'lang',
  'method',
  'rel',
  'role',
  'src',
  'target',
  'type',
  'viewBox',
  'accept',
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
])

/** Returns the texts in a source that a person would read: of elements, of their attributes, and sentences anywhere else. */
function textsIn(source: string, kind = ts.ScriptKind.TSX): string[] {
  const file = ts.createSourceFile('page.tsx', source, ts.ScriptTarget.Latest, true, kind)
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return
    if (ts.isJsxText(node)) keep(node.text.trim(), /\p{L}{2}/u)
    else if (ts.isStringLiteralLike(node)) {
      const { parent } = node
      if (ts.isNewExpression(parent) && ts.isThrowStatement(parent.parent)) return
      if (ts.isPropertyAssignment(parent) && SHOWN.has(parent.name.getText())) keep(node.text, /^\p{Lu}\p{Ll}/u)
      else if (!ts.isJsxAttribute(parent)) keep(node.text, SENTENCE)
      else if (!TECHNICAL.has(parent.name.getText())) keep(node.text, /^\p{Lu}|\p{L} \p{L}/u)
    } else if (ts.isTemplateExpression(node)) {
      const text = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
      keep(text, SENTENCE)
    }
    ts.forEachChild(node, visit)
  }
  const keep = (text: string, isText: RegExp) => {
    const bare = text.replace(/[^\p{L} ]/gu, '').trim()
    if (isText.test(text) && !NAMES.includes(bare) && !bare.split(' ').every((word) => NAMES.includes(word)))
      texts.push(text)
  }
  visit(file)
  return texts
}

/** Properties whose value a page shows. */
const SHOWN = new Set(['detail', 'empty', 'label', 'name', 'shortName', 'state', 'text', 'title', 'verb'])

/** A capital and a word, then more of it; or an end of a sentence. */
const SENTENCE = /^\p{Lu}\p{Ll}+(?: \p{L}|…|[.:]$)|\p{L} \p{L}+[.…]$/u
