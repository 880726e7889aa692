import { expect } from 'chai'
import type { PageContent } from '../../../lib/pdf/text/page-content.ts'
import { comparedContent } from '../../../lib/pdf/text/same-content.ts'

/** A page that draws one thing. */
function page(
  operand: unknown,
  kept: Readonly<Record<string, unknown>> = {},
  annotations: readonly unknown[] = [],
): PageContent {
  const operations = [{ operator: 44, operands: [operand] }]
  return { operations, overlay: operations, annotations, named: (text) => kept[text] ?? null }
}

function isSame(a: PageContent, b: PageContent): boolean {
  const { isSame, haveSameOverlay } = comparedContent(a, b)
  const found = isSame(a.operations[0]!, b.operations[0]!)
  expect(haveSameOverlay()).to.equal(found)
  return found
}

const glyph = (change: object = {}) => ({ unicode: 'H', width: 765.25, accent: null, isSpace: false, ...change })
const font = (change: object = {}) => ({
  loadedName: 'g_d0_f1',
  name: 'ABCDEF+Sans',
  data: Uint8Array.of(1, 2, 3),
  isType3Font: false,
  ...change,
})
const pages = [undefined, 7]

/** Operands, and others from which they have to be told. */
const different: Record<string, [unknown, unknown]> = {
  'a number and another': [1, 1.0000001],
  'a number and its text': [1, '1'],
  'nothing and zero': [null, 0],
  'nothing and what was left out': [null, undefined],
  'a letter and another': [[glyph()], [glyph({ unicode: 'I' })]],
  'a letter and a wider one': [[glyph()], [glyph({ width: 766 })]],
  'a list and a longer one': [
    [1, 2],
    [1, 2, 3],
  ],
  'a list with a gap and a full one': [new Array(1), pages.slice(1)],
  'a path and another': [Float32Array.of(1, 2), Float32Array.of(1, 3)],
  'numbers of another size': [Float32Array.of(1), Uint8Array.of(1)],
  'bytes and others': [Uint8Array.of(1).buffer, Uint8Array.of(2).buffer],
  'a map and another': [new Map([['a', 1]]), new Map([['a', 2]])],
  'a map and a record': [new Map([['a', 1]]), { a: 1 }],
  'an entry and another name for it': [{ a: 1 }, { b: 1 }],
  'an entry and one more': [{ a: 1 }, { a: 1, b: undefined }],
}

describe('what two pages consist of', () => {
  for (const [what, [a, b]] of Object.entries(different)) {
    it(`is not the same: ${what}`, () => {
      expect(isSame(page(a), page(b))).to.equal(false)
      expect(isSame(page(b), page(a))).to.equal(false)
      expect(isSame(page(a), page(structuredClone(a)))).to.equal(true)
    })
  }

  it('is not the same with another operator, or with other annotations', () => {
    const [a, b] = [page(1), page(1)]
    expect(comparedContent(a, b).isSame(a.operations[0]!, { operator: 45, operands: [1] })).to.equal(false)
    expect(comparedContent(page(1, {}, [{ rect: [0, 0, 1, 1] }]), page(1, {}, [])).haveSameOverlay()).to.equal(false)
  })

  it('does not count functions, which the reader adds', () => {
    expect(isSame(page({ a: 1, f: () => 1 }), page({ a: 1, f: () => 2 }))).to.equal(true)
    expect(isSame(page({ a: 1, f: () => 1 }), page({ a: 1, f: 2 }))).to.equal(false)
  })

  it('is the same where the same font has another name', () => {
    const isSameFont = (other: object) =>
      isSame(page('g_d0_f1', { g_d0_f1: font() }), page('g_d7_f3', { g_d7_f3: font(other) }))
    expect(isSameFont({ loadedName: 'g_d7_f3', cache: 5 })).to.equal(true)
    expect(isSameFont({ data: Uint8Array.of(1, 2, 4) })).to.equal(false)
    expect(isSameFont({ data: null })).to.equal(false)
    expect(isSameFont({ name: 'ABCDEF+Serif' })).to.equal(false)
    expect(isSameFont({ vertical: true })).to.equal(false)
  })

  it('is not the same where a name stands for nothing, or for something else', () => {
    const kept = { g_d0_f1: font() }
    expect(isSame(page('g_d0_f1', kept), page('g_d7_f3'))).to.equal(false)
    expect(isSame(page('g_d0_f1'), page('g_d7_f3'))).to.equal(false)
    expect(isSame(page('g_d0_f1', kept), page('g_d0_f1', { g_d0_f1: ['RadialAxial', 1] }))).to.equal(false)
  })

  it('is compared also where things lead to themselves', () => {
    const circle = (value: number) => page('pattern_1', { pattern_1: ['Tiling', value, 'pattern_1'] })
    expect(isSame(circle(1), circle(1))).to.equal(true)
    expect(isSame(circle(1), circle(2))).to.equal(false)
  })
})
