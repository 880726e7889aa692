/**
 * Follows the content of a page through all forms that it draws, and holds each operator against the grammar in the state in which
 * it is met: which color space is set, how large its drawings are on the page, whether its names are in its own resources.
 */
import { PDFDict, PDFName, type PDFObject, PDFRawStream } from 'pdf-lib'
import type { Value } from '../file/value.ts'
import { type Matrix, multiply } from '../matrix.ts'
import { type ColorSpace, checkDefaults, colorSpace, isPlainInk, namedSpace } from './color-space.ts'
import { dictIn, entry, keys, nameIn, numbersIn, onlyKeys } from './entries.ts'
import { checkFont } from './font.ts'
import { checkGraphicsState, checkGroup } from './graphics-state.ts'
import { NotPlain } from './not-plain.ts'
import { checkPicture } from './picture.ts'
import { readOperators } from './read-operators.ts'
import { newPath, onPage } from './shapes.ts'
import { unpacked } from './stream.ts'

const MOST_DEPTH = 8
const MOST_CONTENT = 32 * 1024 * 1024
/** Graphics states kept within each other. */
const MOST_KEPT = 28
const MISSING = 'a name that only some viewers find'
const FORM_KEYS =
  keys(`Type Subtype FormType BBox Matrix Resources Group Filter DecodeParms Length StructParent StructParents Name
  LastModified PieceInfo Metadata OC DL`)

interface State {
  matrix: Matrix
  fill: ColorSpace
  stroke: ColorSpace
  /** Whether a color was set since the color space was. */
  isFillSet: boolean
  isStrokeSet: boolean
  font: PDFDict | null
  /** How letters are drawn: filled, stroked, or not at all. */
  mode: number
}

/**
 * The parts of a document that were checked: each font, picture and form once, a form once for each size in which it is drawn.
 */
export interface Checked {
  objects: Set<PDFObject>
  forms: Set<string>
  /** Bytes of content that may still be read. */
  room: number
}

export const nothingChecked = (): Checked => ({ objects: new Set(), forms: new Set(), room: 2 * MOST_CONTENT })

const INVISIBLE = 3

const GRAY: ColorSpace = { components: 1 }
const initial = (matrix: Matrix): State => ({
  matrix,
  fill: GRAY,
  stroke: GRAY,
  isFillSet: true,
  isStrokeSet: true,
  font: null,
  mode: 0,
})

export const unpackedContent = (stream: PDFRawStream): Buffer => unpacked(stream, MOST_CONTENT)

/** Throws a `NotPlain` or a `SyntaxProblem` at what is outside of the grammar. */
export function checkContent(content: Buffer, resources: PDFDict, matrix: Matrix, checked: Checked, depth = 0): void {
  if (depth > MOST_DEPTH) throw new NotPlain('parts drawn inside each other more deeply than some viewers follow')
  checked.room -= content.length + 100
  if (checked.room < 0) throw new NotPlain('more content than is checked')
  checkResources(resources)
  let state = initial(matrix)
  const kept: State[] = []
  let marks = 0
  const path = newPath()

  const resource = (kind: string, name: string): PDFObject => {
    const found = dictIn(resources, kind)?.lookup(PDFName.of(name))
    if (!found) throw new NotPlain(MISSING)
    return found
  }
  const once = <T extends PDFObject>(object: T, check: (object: T) => void) => {
    if (checked.objects.has(object)) return
    checked.objects.add(object)
    check(object)
  }
  const dictOf = (kind: string, name: string): PDFDict => {
    const found = resource(kind, name)
    if (!(found instanceof PDFDict)) throw new NotPlain(MISSING)
    return found
  }
  const mustHaveColor = (isFill: boolean, isStroke: boolean) => {
    if ((isFill && !state.isFillSet) || (isStroke && !state.isStrokeSet))
      throw new NotPlain('colors that are never set')
  }
  const setColor = (isFill: boolean, space: ColorSpace, isSet: boolean) => {
    state = isFill ? { ...state, fill: space, isFillSet: isSet } : { ...state, stroke: space, isStrokeSet: isSet }
  }
  const ink = (numbers: readonly number[]) => {
    if (!isPlainInk(numbers)) throw new NotPlain('inks that viewers convert differently')
  }
  const drawnObject = (name: string) => {
    const object = resource('XObject', name)
    mustHaveColor(true, true)
    if (!(object instanceof PDFRawStream)) throw new NotPlain(MISSING)
    const subtype = nameIn(object.dict, 'Subtype')
    if (subtype === 'Image') {
      once(object, checkPicture)
      const path = newPath()
      path.add('re', [0, 0, 1, 1], state.matrix)
      path.paint('f')
    } else if (subtype === 'Form') checkForm(object, state.matrix, checked, depth)
    else throw new NotPlain(MISSING)
  }

  readOperators(content, ({ name, numbers, values }) => {
    switch (name) {
      case 'q':
        kept.push(state)
        if (kept.length > MOST_KEPT) throw new NotPlain('more kept graphics states than some viewers have')
        break
      case 'Q': {
        const before = kept.pop()
        if (!before) throw new NotPlain('graphics states that are restored and were never kept')
        state = before
        break
      }
      case 'cm':
        state = { ...state, matrix: multiply(state.matrix, regular(numbers)) }
        break
      case 'Tm':
        regular(numbers)
        onPage(numbers[4]!, numbers[5]!, state.matrix)
        break
      case 'm':
      case 'l':
      case 'c':
      case 'v':
      case 'y':
      case 're':
      case 'h':
      case 'W':
      case 'W*':
        path.add(name, numbers, state.matrix)
        break
      case 'n':
      case 'S':
      case 's':
      case 'f':
      case 'F':
      case 'f*':
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
        mustHaveColor(!'Ssn'.includes(name), !'fFf*n'.includes(name))
        path.paint(name)
        break
      case 'g':
      case 'G':
        setColor(name === 'g', GRAY, true)
        break
      case 'rg':
      case 'RG':
        setColor(name === 'rg', { components: 3 }, true)
        break
      case 'k':
      case 'K':
        ink(numbers)
        setColor(name === 'k', { components: 4 }, true)
        break
      case 'cs':
      case 'CS':
        setColor(name === 'cs', namedSpace(nameOf(values[0]), resources), false)
        break
      case 'sc':
      case 'scn':
      case 'SC':
      case 'SCN': {
        const isFill = name === name.toLowerCase()
        const space = isFill ? state.fill : state.stroke
        if (numbers.length !== space.components) throw new NotPlain('colors with more or fewer numbers than they need')
        if (space.components === 4) ink(numbers)
        setColor(isFill, space, true)
        break
      }
      case 'gs':
        once(dictOf('ExtGState', nameOf(values[0])), checkGraphicsState)
        break
      case 'Tf':
        state = { ...state, font: dictOf('Font', nameOf(values[0])) }
        break
      case 'Tr':
        state = { ...state, mode: numbers[0]! }
        break
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        // Text that a scanner recognized, below its picture.
        if (state.mode === INVISIBLE) break
        if (!state.font) throw new NotPlain('text without a font of its own')
        once(state.font, checkFont)
        mustHaveColor(true, true)
        break
      case 'Do':
        drawnObject(nameOf(values[0]))
        break
      case 'BMC':
        marks++
        break
      case 'BDC':
      case 'DP': {
        if (name === 'BDC') marks++
        const properties = values[1]
        if (properties?.kind === 'name') dictOf('Properties', properties.name)
        break
      }
      case 'EMC':
        if (--marks < 0) throw new NotPlain('marks that end and never began')
    }
  })
  if (kept.length > 0) throw new NotPlain('graphics states that are kept and never restored')
}

/** Whatever is in resources has a name there, whether it is used or not. */
function checkResources(resources: PDFDict): void {
  for (const kind of resources.keys()) {
    const isNames = resources.lookup(kind) instanceof PDFDict
    if (!isNames && kind.decodeText() !== 'ProcSet') throw new NotPlain(MISSING)
  }
  checkDefaults(resources)
}

const nameOf = (value: Value | undefined): string => (value?.kind === 'name' ? value.name : '')

/** A matrix that makes an area of an area. */
function regular(numbers: readonly number[]): Matrix {
  const [a, b, c, d] = numbers as unknown as Matrix
  if (Math.abs(a * d - b * c) < 1e-9) throw new NotPlain('drawings without width')
  return numbers as unknown as Matrix
}

function checkForm(form: PDFRawStream, outer: Matrix, checked: Checked, depth: number): void {
  const { dict } = form
  onlyKeys(dict, FORM_KEYS, 'parts of a kind that viewers draw differently')
  const resources = dictIn(dict, 'Resources')
  if (!resources) throw new NotPlain(MISSING)
  const box = numbersIn(dict, 'BBox', 4)
  const own = dict.has(PDFName.of('Matrix')) ? numbersIn(dict, 'Matrix', 6) : [1, 0, 0, 1, 0, 0]
  if (!box || !own) throw new NotPlain('parts with a frame that viewers take differently')
  const matrix = multiply(outer, regular(own))
  const key = `${form.dict.context.getObjectRef(form)?.toString() ?? ''} ${matrix
    .slice(0, 4)
    .map((number) => number.toFixed(6))
    .join(' ')}`
  const [left, bottom, right, top] = box as [number, number, number, number]
  for (const x of [left, right]) for (const y of [bottom, top]) onPage(x, y, matrix)
  if (right <= left || top <= bottom) throw new NotPlain('parts with a frame that viewers take differently')
  const group = dictIn(dict, 'Group')
  if (group) checkGroup(group, isScreenSpace)
  else if (entry(dict, 'Group')) throw new NotPlain(MISSING)
  if (checked.forms.has(key)) return
  checked.forms.add(key)
  checkContent(unpackedContent(form), resources, matrix, checked, depth + 1)
}

export function isScreenSpace(value: PDFObject | undefined): boolean {
  return colorSpace(value).components !== 4
}
