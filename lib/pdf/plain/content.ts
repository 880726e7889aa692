/**
 * Follows the content of a page through all forms that it draws, and holds each operator against the grammar in the state in which
 * it is met: which color space is set, how large its drawings are on the page, whether its names are in its own resources.
 */
import { PDFDict, PDFName, type PDFObject, PDFRawStream } from 'pdf-lib'
import { textBytes } from '../file/text-bytes.ts'
import type { Value } from '../file/value.ts'
import { hasProgram } from '../fonts/font-program.ts'
import { addCodes, type FontUses } from '../fonts/font-use.ts'
import { identity, type Matrix, multiply } from '../matrix.ts'
import { type ColorSpace, checkDefaults, colorSpace, inksOf, isPlainInk, namedSpace } from './color-space.ts'
import { dictIn, entry, keys, nameIn, numberIn, numbersIn, onlyKeys } from './entries.ts'
import { checkFont } from './font.ts'
import { checkGraphicsState, checkGroup, overprintsIn } from './graphics-state.ts'
import { FontMissing, NotPlain } from './not-plain.ts'
import { checkPicture, checkPixelSize, isStencil } from './picture.ts'
import { readOperators } from './read-operators.ts'
import { isUpright, largestScale, newPath, onPage, regular } from './shapes.ts'
import { GRAY, type Inherited, initial, type State } from './state.ts'
import { unpacked } from './stream.ts'

const MOST_DEPTH = 8
const MOST_CONTENT = 32 * 1024 * 1024
/** Graphics states kept within each other. */
const MOST_KEPT = 28
const MISSING = 'a name that only some viewers find'
const FORM_KEYS =
  keys(`Type Subtype FormType BBox Matrix Resources Group Filter DecodeParms Length StructParent StructParents Name
  LastModified PieceInfo Metadata OC DL`)

/** Holds what was checked of a document: each font, picture, and form once, a form once for each size in which it is drawn. */
export interface Checked {
  objects: Set<PDFObject>
  forms: Set<string>
  /** The codes of each font that text is shown in. */
  fonts: FontUses
  /** Whether there is text that does not show: what a scanner recognized. */
  hasHiddenText: boolean
  /** Bytes of content that may still be read. */
  room: number
}

export const nothingChecked = (): Checked => ({
  objects: new Set(),
  forms: new Set(),
  fonts: new Map(),
  hasHiddenText: false,
  room: 2 * MOST_CONTENT,
})

const FILLED = 0
const STROKED = 1
const FILLED_AND_STROKED = 2
const INVISIBLE = 3
/** In points on the page. */
const WIDEST_OF_LETTERS = 1
/** In points on the page: of a larger letter, the fonts that viewers have differ by more than half of a small letter. */
const LARGEST_OF_OTHER_FONTS = 18.5

export const unpackedContent = (stream: PDFRawStream): Buffer => unpacked(stream, MOST_CONTENT)

/** Throws a `NotPlain` or a `SyntaxProblem` at what is outside of the grammar. */
export function checkContent(
  content: Buffer,
  resources: PDFDict,
  inherited: Inherited,
  checked: Checked,
  depth = 0,
): void {
  if (depth > MOST_DEPTH) throw new NotPlain('parts drawn inside each other more deeply than some viewers follow')
  checked.room -= content.length + 100
  if (checked.room < 0) throw new NotPlain('more content than is checked')
  checkResources(resources)
  let state = initial(inherited, depth > 0)
  const kept: State[] = []
  let marks = 0
  let textMatrix: Matrix = identity
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
    const leaves = ({ components, blackInk }: ColorSpace, isBlack: boolean) =>
      (components === 4 || blackInk) && !isBlack
    if (
      state.overprints &&
      ((isFill && leaves(state.fill, state.isFillBlack)) || (isStroke && leaves(state.stroke, state.isStrokeBlack)))
    )
      throw new NotPlain('inks that leave what is below them in some viewers')
  }
  const setColor = (isFill: boolean, space: ColorSpace, numbers: readonly number[] | null) => {
    const isSet = numbers !== null
    const isBlack = numbers?.every((number, i) => number === (i === 3 || space.blackInk ? 1 : 0)) ?? false
    const inks = numbers && inksOf(space, numbers)
    if (inks && !isPlainInk(inks)) throw new NotPlain('inks that viewers convert differently')
    state = isFill
      ? { ...state, fill: space, isFillSet: isSet, isFillBlack: isBlack }
      : { ...state, stroke: space, isStrokeSet: isSet, isStrokeBlack: isBlack }
  }
  /** Returns the width of lines on the page, in points. */
  const lineWidth = () => state.width * largestScale(state.matrix)
  const showCodes = (font: PDFDict, texts: readonly Value[]) => {
    for (const text of texts) {
      if (text.kind === 'array') showCodes(font, text.items)
      else if (text.kind === 'text') addCodes(checked.fonts, font, textBytes(content, text).toString('latin1'))
    }
  }
  /** Returns the size of letters on the page, in points. */
  const letterSize = () => state.size * Math.max(1, state.stretch) * largestScale(multiply(state.matrix, textMatrix))
  const mustBeOpaque = () => {
    // ISO 32000-2, 11.7.4.4: together, as some viewers draw them, or the line over the area, as others do.
    if (state.fillOpacity < 1 || state.strokeOpacity < 1)
      throw new NotPlain('areas with an edge that show what is below them')
  }
  const moveText = (operator: string, isMoved: boolean) => {
    const [moves, unsure] = [new Set(state.movesText), new Set(state.unsureText)]
    if (isMoved) moves.add(operator)
    else moves.delete(operator)
    unsure.delete(operator)
    state = { ...state, movesText: moves, unsureText: unsure }
  }
  const mustBePlaced = () => {
    if (state.unsureText.size > 0) throw new NotPlain('places of text that only some viewers keep for its parts')
  }
  const drawnObject = (name: string) => {
    const object = resource('XObject', name)
    // Ghostscript was seen to draw a picture that shows nothing.
    if (state.fillOpacity === 0 || state.strokeOpacity === 0) throw new NotPlain('pictures or parts that show nothing')
    if (!(object instanceof PDFRawStream)) throw new NotPlain(MISSING)
    const subtype = nameIn(object.dict, 'Subtype')
    if (subtype === 'Image') {
      mustHaveColor(isStencil(object.dict), false)
      once(object, checkPicture)
      checkPixelSize(object.dict, state.matrix)
      const path = newPath()
      path.add('re', [0, 0, 1, 1], state.matrix)
      path.paint('f', 0)
    } else if (subtype === 'Form') {
      mustHaveColor(true, true)
      checkForm(object, state, checked, depth)
    } else throw new NotPlain(MISSING)
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
      case 'BT':
        textMatrix = identity
        break
      case 'Tm':
        textMatrix = regular(numbers)
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
        if (name.toLowerCase().startsWith('b')) mustBeOpaque()
        path.paint(name, lineWidth(), { fill: state.fillOpacity > 0, stroke: state.strokeOpacity > 0 })
        break
      case 'w':
        state = { ...state, width: numbers[0]! }
        break
      case 'd':
        state = { ...state, isDashed: isDashed(values[0], numbers[0]!) }
        break
      case 'TL':
      case 'Ts':
      case 'Tz':
        moveText(name, numbers[0]! !== (name === 'Tz' ? 100 : 0))
        if (name === 'Tz') state = { ...state, stretch: numbers[0]! / 100 }
        break
      case 'TD':
        moveText('TL', numbers[1]! !== 0)
        break
      case 'g':
      case 'G':
        setColor(name === 'g', GRAY, numbers)
        break
      case 'rg':
      case 'RG':
        setColor(name === 'rg', { components: 3 }, numbers)
        break
      case 'k':
      case 'K':
        setColor(name === 'k', { components: 4 }, numbers)
        break
      case 'cs':
      case 'CS':
        setColor(name === 'cs', namedSpace(nameOf(values[0]), resources), null)
        break
      case 'sc':
      case 'scn':
      case 'SC':
      case 'SCN': {
        const isFill = name === name.toLowerCase()
        const space = isFill ? state.fill : state.stroke
        if (numbers.length === 0 || numbers.length !== space.components)
          throw new NotPlain('colors with more or fewer numbers than they need')
        setColor(isFill, space, numbers)
        break
      }
      case 'gs': {
        const set = dictOf('ExtGState', nameOf(values[0]))
        once(set, checkGraphicsState)
        state = {
          ...state,
          width: numberIn(set, 'LW') ?? state.width,
          fillOpacity: numberIn(set, 'ca') ?? state.fillOpacity,
          strokeOpacity: numberIn(set, 'CA') ?? state.strokeOpacity,
          overprints: overprintsIn(set) ?? state.overprints,
        }
        break
      }
      case 'Tf':
        state = { ...state, font: dictOf('Font', nameOf(values[0])), size: numbers[0]! }
        break
      case 'Tr':
        state = { ...state, mode: numbers[0]! }
        break
      case 'T*':
        mustBePlaced()
        break
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        mustBePlaced()
        // The text that a scanner recognized, below its picture.
        if (state.mode === INVISIBLE) {
          checked.hasHiddenText = true
          break
        }
        if (!state.font) throw new NotPlain('text without a font of its own')
        once(state.font, checkFont)
        showCodes(state.font, values)
        if (!hasProgram(state.font) && letterSize() > LARGEST_OF_OTHER_FONTS)
          throw new FontMissing('large letters of a font that is not in it')
        mustHaveColor(true, state.mode !== FILLED)
        if (state.mode === FILLED_AND_STROKED) mustBeOpaque()
        if (state.mode !== FILLED && (lineWidth() > WIDEST_OF_LETTERS || state.isDashed))
          throw new NotPlain('letters with wide or dashed edges')
        // At the size of a screen, some viewers draw the lines around a letter ten times as dark as others.
        if (state.mode === STROKED) throw new NotPlain('letters of which only the edges are drawn')
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

/** Checks resources that are not used, too: everything in them has a name. */
function checkResources(resources: PDFDict): void {
  for (const kind of resources.keys()) {
    const isNames = resources.lookup(kind) instanceof PDFDict
    if (!isNames && kind.decodeText() !== 'ProcSet') throw new NotPlain(MISSING)
  }
  checkDefaults(resources)
}

const nameOf = (value: Value | undefined): string => (value?.kind === 'name' ? value.name : '')

/** Of one length, poppler takes a phase beyond it for a dash where others have a gap. */
function isDashed(dashes: Value | undefined, phase: number): boolean {
  const [first, ...more] = dashes?.kind === 'array' ? dashes.items : []
  if (first?.kind === 'number' && more.length === 0 && phase >= first.value)
    throw new NotPlain('dashes that viewers begin differently')
  return first !== undefined
}

/** Checks a form as it is drawn in this state. */
export function checkForm(form: PDFRawStream, outer: Inherited, checked: Checked, depth = 0): void {
  const { dict } = form
  onlyKeys(dict, FORM_KEYS, 'parts of a kind that viewers draw differently')
  // Some viewers take those of the page, in which a name may be found.
  const resources = dict.has(PDFName.of('Resources')) ? dictIn(dict, 'Resources') : dict.context.obj({})
  if (!resources) throw new NotPlain(MISSING)
  const box = numbersIn(dict, 'BBox', 4)
  const own = dict.has(PDFName.of('Matrix')) ? numbersIn(dict, 'Matrix', 6) : [1, 0, 0, 1, 0, 0]
  if (!box || !own) throw new NotPlain('parts with a frame that viewers take differently')
  const matrix = multiply(outer.matrix, regular(own))
  const { width, fillOpacity, strokeOpacity, isDashed, overprints, movesText, isFillBlack, isStrokeBlack } = outer
  // Ghostscript begins a group with black.
  const isColorKept = !dict.has(PDFName.of('Group'))
  const [isFillSet, isStrokeSet] = [isFillBlack || isColorKept, isStrokeBlack || isColorKept]
  const key = `${form.dict.context.getObjectRef(form)?.toString() ?? ''} ${matrix
    .slice(0, 4)
    .map((number) => number.toFixed(6))
    .join(
      ' ',
    )} ${width} ${fillOpacity} ${strokeOpacity} ${isDashed} ${overprints} ${[...movesText].join()} ${isFillBlack} ${isStrokeBlack}`
  const [left, bottom, right, top] = box as [number, number, number, number]
  for (const x of [left, right]) for (const y of [bottom, top]) onPage(x, y, matrix)
  // Any two corners, as every viewer takes them.
  if (right === left || top === bottom) throw new NotPlain('parts with a frame that viewers take differently')
  const group = dictIn(dict, 'Group')
  if (group) {
    checkGroup(group, isScreenSpace)
    // Poppler then draws what lies outside of the frame.
    if (!isUpright(matrix)) throw new NotPlain('parts with transparency that are turned')
  } else if (entry(dict, 'Group')) throw new NotPlain(MISSING)
  if (checked.forms.has(key)) return
  checked.forms.add(key)
  checkContent(
    unpackedContent(form),
    resources,
    {
      ...{ matrix, width, fillOpacity, strokeOpacity, isDashed, overprints, movesText },
      ...{ isFillSet, isStrokeSet, isFillBlack, isStrokeBlack },
    },
    checked,
    depth + 1,
  )
}

/** Ghostscript converts all colors of a page to the space of its group. */
export function isScreenSpace(value: PDFObject | undefined): boolean {
  return colorSpace(value).components === 3
}
