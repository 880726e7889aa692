import { expect } from 'chai'
import type { Annotations, FieldType } from '../../../lib/contract/task/document.ts'
import { fieldKinds, fieldTypes } from '../../../lib/contract/task/field-kinds.ts'
import { type Field, jsonProblems, needlesOf, placeFields } from '../../../lib/pdf/placement/placement.ts'
import type { Hit } from '../../../lib/pdf/text/search.ts'

const pages = [
  { width: 612, height: 792 },
  { width: 792, height: 612 },
]
const hit = (page: number, left: number, top: number, isExact = true): Hit => ({
  page,
  box: { left, top, right: left + 80, bottom: top + 12 },
  lines: [{ left, top, right: left + 80, bottom: top + 12 }],
  em: 12,
  isExact,
})
const place = (annotations: Annotations, hits: Hit[][] = [], templateFields: Field[] = []) =>
  placeFields(annotations, templateFields, pages, hits)
const fieldsOf = (...args: Parameters<typeof place>): Field[] => {
  const placed = place(...args)
  if (!placed.ok) throw new Error(placed.problem)
  return placed.fields
}

describe('annotations with coordinates', () => {
  const item = { type: 'TextArea' as const, pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 }
  const json = (...data: (typeof item)[]): Annotations => ({ type: 'Json', data })

  it('become fields at those coordinates', () => {
    const annotations: Annotations = { type: 'Json', data: [{ ...item, required: true, value: 'As discussed' }] }
    expect(fieldsOf(annotations)).to.deep.equal([
      {
        page: 1,
        box: { left: 72, top: 600, right: 252, bottom: 636 },
        type: 'TextArea',
        required: true,
        value: 'As discussed',
      },
    ])
  })

  it('are not required and empty unless they say so, and only a text area has a value', () => {
    const annotations: Annotations = {
      type: 'Json',
      data: [item, { ...item, type: 'CheckBox', value: 'x', required: null }],
    }
    expect(fieldsOf(annotations).map(({ required, value }) => ({ required, value }))).to.deep.equal([
      { required: false, value: null },
      { required: false, value: null },
    ])
  })

  it('are all checked at once: the page, and each edge against the page as displayed', () => {
    const data = [
      { ...item, pageNumber: 3 },
      { ...item, left: 620, right: 640 },
      { ...item, pageNumber: 2, top: 600, bottom: 630 },
      item,
    ]
    expect(jsonProblems(data, pages)).to.deep.equal([
      'document.annotations.data[0].pageNumber: the document has 2 pages',
      'document.annotations.data[1].left: outside page 1, which is 612 × 792 points',
      'document.annotations.data[1].right: outside page 1, which is 612 × 792 points',
      'document.annotations.data[2].bottom: outside page 2, which is 792 × 612 points',
    ])
    expect(jsonProblems([{ ...item, pageNumber: 2 }], pages.slice(0, 1))).to.deep.equal([
      'document.annotations.data[0].pageNumber: the document has 1 page',
    ])
    expect(place(json(...data))).to.deep.equal({
      ok: false,
      problem: 'document.annotations.data[0].pageNumber: the document has 2 pages',
    })
  })

  it('may be rounded beyond the edge, and are then cut there', () => {
    const a4 = [{ width: 595.276, height: 841.89 }]
    const data = [{ ...item, left: 400, right: 595.28, top: 800, bottom: 842 }]
    expect(jsonProblems(data, a4)).to.deep.equal([])
    const placed = placeFields({ type: 'Json', data }, [], a4, [])
    if (!placed.ok) throw new Error(placed.problem)
    const { right, bottom } = placed.fields[0]!.box
    expect([right <= 595.276, bottom <= 841.89]).to.deep.equal([true, true])
  })
})

describe('smart annotations', () => {
  const smart: Annotations = { type: 'SmartAnnotations' }
  const names = fieldTypes.map((type) => fieldKinds[type].token)

  it('look for the four tokens of the specification', () => {
    expect(needlesOf(smart)).to.deep.equal({
      kind: 'token',
      texts: ['{SVC-signature-owner1}', '{SVC-date-owner1}', '{SVC-text-owner1}', '{SVC-checkBox-owner1}'],
    })
  })

  it('become fields at the top left of every token, on every page, in reading order', () => {
    const hits = [[hit(1, 100, 200), hit(2, 50, 60)], [hit(1, 300, 201)], [], [hit(1, 10, 20)]]
    expect(fieldsOf(smart, hits).map(({ page, type, box }) => [page, type, box.left, box.top])).to.deep.equal([
      [1, 'CheckBox', 10, 20],
      [1, 'VisibleSignature', 100, 200],
      [1, 'DateSigned', 300, 201],
      [2, 'VisibleSignature', 50, 60],
    ])
  })

  const sizes: Record<FieldType, [number, number]> = {
    VisibleSignature: [180, 36],
    DateSigned: [90, 14],
    TextArea: [200, 40],
    CheckBox: [12, 12],
  }
  for (const [i, type] of fieldTypes.entries()) {
    it(`give a ${type} its usual size, moved to stay on the page`, () => {
      const hits = names.map((_, n) => (n === i ? [hit(1, 100, 200), hit(1, 605, 785)] : []))
      const [inside, atEdge] = fieldsOf(smart, hits).map(({ box }) => box)
      const [width, height] = sizes[type]
      expect(inside).to.deep.equal({ left: 100, top: 200, right: 100 + width, bottom: 200 + height })
      expect(atEdge).to.deep.equal({ left: 612 - width, top: 792 - height, right: 612, bottom: 792 })
    })
  }

  it('give way to their fields, all lines of them', () => {
    const wrapped = hit(1, 100, 200)
    const lines = [wrapped.box, { left: 60, top: 214, right: 90, bottom: 226 }]
    const [field] = fieldsOf(smart, [[{ ...wrapped, lines }], [], [], []])
    expect(field!.covers).to.have.lengthOf(2)
    for (const [i, cover] of field!.covers!.entries()) {
      const { left, top, right, bottom } = lines[i]!
      const rooms = [left - cover.left, top - cover.top, cover.right - right, cover.bottom - bottom]
      for (const room of rooms) expect(room).to.be.within(0, 2)
    }
  })

  describe('over text', () => {
    /** Of a signature at 100, 200, among letters with these top left corners. */
    const boxAmong = (...letters: [left: number, top: number][]) => {
      const texts = letters.map(([left, top]) => ({ left, top, right: left + 6, bottom: top + 9 }))
      const placed = placeFields(smart, [], pages, [[hit(1, 100, 200)], [], [], []], undefined, () => texts)
      if (!placed.ok) throw new Error(placed.problem)
      const { left, top, right, bottom } = placed.fields[0]!.box
      expect([left, top]).to.deep.equal([100, 200])
      return [right - left, bottom - top]
    }

    it('end before the next line, and before what follows on their own', () => {
      expect(boxAmong([120, 226])).to.deep.equal([180, 26])
      expect(boxAmong([120, 230], [180, 224], [150, 240])).to.deep.equal([180, 24])
      expect(boxAmong([230, 202])).to.deep.equal([130, 36])
      expect(boxAmong([230, 202], [120, 226])).to.deep.equal([130, 26])
    })

    it('keep a size at which ink is legible, and what does not touch text keeps its usual size', () => {
      expect(boxAmong([120, 213])).to.deep.equal([180, 36])
      expect(boxAmong([185, 204])).to.deep.equal([180, 36])
      expect(boxAmong([120, 236], [280, 204], [93, 226], [110, 203])).to.deep.equal([180, 36])
    })
  })

  it('fail without any token', () => {
    const placed = place(smart, [[], [], [], []])
    expect(placed).to.deep.include({ ok: false })
    expect(!placed.ok && placed.problem).to.match(
      /^document\.annotations: none of the tokens \{SVC-signature-owner1\}, /,
    )
  })
})

describe('annotations beside a text', () => {
  const item = { type: 'DateSigned' as const, referenceText: 'Dr. Alma Secret:', offsetX: 110, offsetY: -8 }
  const beside = (...data: (typeof item)[]): Annotations => ({ type: 'ReferenceText', data })

  it('look for their texts', () => {
    expect(needlesOf(beside(item, { ...item, referenceText: 'Date:' }))).to.deep.equal({
      kind: 'phrase',
      texts: ['Dr. Alma Secret:', 'Date:'],
    })
  })

  it('stand right and down from the top left of the first text', () => {
    const [field] = fieldsOf(beside(item), [[hit(1, 72, 300), hit(1, 72, 500)]])
    expect(field).to.deep.include({ page: 1, type: 'DateSigned' })
    expect(field!.box).to.deep.equal({ left: 182, top: 292, right: 272, bottom: 306 })
  })

  it('prefer the text with the white space that was asked for', () => {
    const [field] = fieldsOf(beside(item), [[hit(1, 72, 300, false), hit(2, 72, 500)]])
    expect(field!.page).to.equal(2)
  })

  it('stay on the page, however far the offset leads', () => {
    const [field] = fieldsOf(beside({ ...item, offsetX: -5000, offsetY: 5000 }), [[hit(1, 72, 300)]])
    expect(field!.box).to.deep.equal({ left: 0, top: 778, right: 90, bottom: 792 })
  })

  it('fail when one text is missing; the reason names the annotation and never the text', () => {
    const placed = place(beside(item, item), [[hit(1, 72, 300)], []])
    expect(placed).to.deep.equal({
      ok: false,
      problem: 'document.annotations.data[1].referenceText was not found in the text of the PDF',
    })
  })
})

describe('annotations of a template', () => {
  const field: Field = {
    page: 2,
    box: { left: 700, top: 580, right: 790, bottom: 610 },
    type: 'CheckBox',
    required: true,
    value: null,
  }
  const template: Annotations = { type: 'Template', templateId: 204 }

  it('are the fields of the template', () => {
    expect(needlesOf(template)).to.equal(null)
    expect(fieldsOf(template, [], [field])).to.deep.equal([field])
  })

  it('are ignored by the other kinds, even when a template is named', () => {
    const json: Annotations = {
      type: 'Json',
      templateId: 204,
      data: [{ type: 'CheckBox', pageNumber: 1, left: 1, top: 1, right: 9, bottom: 9 }],
    }
    expect(fieldsOf(json, [], [field])).to.have.lengthOf(1)
    expect(fieldsOf(json, [], [field])[0]!.page).to.equal(1)
  })

  it('fail when the template has no fields, or more pages than the document', () => {
    expect(place(template)).to.deep.equal({
      ok: false,
      problem: 'document.annotations.templateId: the template has no fields',
    })
    expect(place(template, [], [{ ...field, page: 3 }])).to.deep.equal({
      ok: false,
      problem: 'document.annotations.templateId: the template has a field on page 3, the document has 2',
    })
  })
})
