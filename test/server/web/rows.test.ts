/** Between the rows of a form in Node-RED's editor and the fields on a sample. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { fieldsOf, placedRows, type Row, rowsWith } from '../../../server/web/in-editor/rows.ts'
import { filled, textNames } from '../../../server/web/placing/words.ts'
import { root } from '../../support/built.ts'

const num = (value: string) => ({ type: 'num', value })
const PAGES = [
  { width: 612, height: 792 },
  { width: 595.28, height: 841.89 },
]

const SIGNATURE: Row = {
  type: { type: 'str', value: 'VisibleSignature' },
  required: { type: 'bool', value: 'true' },
  value: { type: 'str', value: '' },
  pageNumber: num('1'),
  left: num('72.0'),
  top: num('600'),
  right: num('252'),
  bottom: num('636'),
}
const BOX = { left: 72, top: 600, right: 252, bottom: 636 }
const FROM_MESSAGE: Row = { ...SIGNATURE, left: { type: 'msg', value: 'left' } }
/** The same place on a host whose coordinates begin at the bottom left. */
const UPRIGHT: Row = { ...SIGNATURE, top: num('192'), bottom: num('156') }

const drafts = (rows: readonly Row[], origin: 'top-left' | 'bottom-left' = 'top-left') =>
  fieldsOf(rows, PAGES, origin).map((field, index) => ({ ...field, key: index + 1 }))

describe('the rows of a form on a sample', () => {
  it('are fields where each edge is a number', () => {
    expect(fieldsOf([FROM_MESSAGE, SIGNATURE], PAGES, 'top-left')).to.deep.equal([
      { type: 'VisibleSignature', page: 1, box: BOX, required: true, value: null },
    ])
    const odd = [
      { ...SIGNATURE, type: { type: 'msg', value: 'kind' } },
      { ...SIGNATURE, type: { type: 'str', value: 'Stamp' } },
      { ...SIGNATURE, pageNumber: num('') },
      { ...SIGNATURE, top: { type: 'str', value: '600' } },
    ]
    expect(placedRows(odd)).to.deep.equal([])
  })

  it('count from the bottom left where the host does', () => {
    expect(fieldsOf([UPRIGHT], PAGES, 'bottom-left')[0]!.box).to.deep.equal(BOX)
    const [field] = drafts([UPRIGHT], 'bottom-left')
    const box = { ...BOX, top: 100, bottom: 136 }
    const added = { ...field!, key: 2, page: 2, box }
    expect(rowsWith([UPRIGHT], [{ ...field!, box }, added], PAGES, 'bottom-left')).to.deep.equal([
      { ...UPRIGHT, top: num('692'), bottom: num('656') },
      { ...UPRIGHT, pageNumber: num('2'), left: num('72'), top: num('741.89'), bottom: num('705.89') },
    ])
  })

  it('stay as they were written where nothing was changed', () => {
    const rows = [FROM_MESSAGE, SIGNATURE, { ...SIGNATURE, value: { type: 'msg', value: 'note' } }]
    expect(rowsWith(rows, drafts(rows), PAGES, 'top-left')).to.deep.equal(rows)
  })

  it('change in the cells that were changed, go where a field was removed, and come at the end for a new one', () => {
    const rows = [SIGNATURE, FROM_MESSAGE, { ...SIGNATURE, required: { type: 'msg', value: 'needed' } }]
    const [, second] = drafts(rows)
    const wider = { ...second!, box: { ...BOX, right: 300 } }
    const text = { ...second!, key: 3, type: 'TextArea' as const, required: false, value: 'As discussed' }
    expect(rowsWith(rows, [wider, text], PAGES, 'top-left')).to.deep.equal([
      FROM_MESSAGE,
      { ...rows[2], right: num('300') },
      {
        ...SIGNATURE,
        left: num('72'),
        type: { type: 'str', value: 'TextArea' },
        required: { type: 'bool', value: 'false' },
        value: { type: 'str', value: 'As discussed' },
      },
    ])
  })

  it('stand on a page whose words the catalogue of the nodes has', () => {
    const catalogue = JSON.parse(readFileSync(join(root, 'nodes/locales/en-US/service.json'), 'utf8'))
    expect(catalogue.placing).to.have.all.keys(textNames)
    expect(filled('__name__, page __page__ __other__', { name: 'Text', page: 2 })).to.equal('Text, page 2 __other__')
  })
})
