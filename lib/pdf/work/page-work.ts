/**
 * How much work the pages of a document are for a viewer, counted without drawing: a few hundred bytes can ask for more than a
 * viewer ever finishes. What cannot be counted here meets the time limit of the code that draws the pages.
 */
import { PDFDict, type PDFDocument, PDFName, PDFNumber, type PDFObject, PDFRawStream, PDFStream } from 'pdf-lib'
import { SyntaxProblem, type Value } from '../file/value.ts'
import type { PdfLimits } from '../guard/limits.ts'
import { items, nameText } from '../guard/survey.ts'
import { dataOfStream, joinedContent } from '../one-reading/contents.ts'
import { pageFrame } from '../page-frame.ts'
import { annotationsOf, numbers } from '../prepare/annotation.ts'
import { type ImageSize, imageSize, inlineImageSizes } from './image-size.ts'
import { readLoosely } from './loose-content.ts'
import { costOfPixel } from './shading-cost.ts'

/**
 * Returns what is wrong, as a clause about the document, or null.
 * @param isToBeDrawn whether content that this reader cannot read is left to the viewer that draws the pages
 */
export function pageWorkProblem(doc: PDFDocument, limits: PdfLimits, isToBeDrawn = false): string | null {
  const { maxPageWork, maxPagePixels, maxDocumentPixels, minPageSide, maxPageSide } = limits
  let pixels = 0
  for (const [index, page] of doc.getPages().entries()) {
    const { width, height } = pageFrame(page)
    const unit = page.node.lookup(PDFName.of('UserUnit'))
    const scale = unit instanceof PDFNumber ? unit.asNumber() : 1
    const sides = [width * scale, height * scale]
    const refused = (problem: string) => `page ${index + 1} ${problem}; print it to PDF again`
    if (!sides.every((side) => side >= minPageSide && side <= maxPageSide)) {
      return refused(`is not between ${minPageSide} and ${maxPageSide} points wide and high`)
    }
    try {
      const work = countedWork(doc, Math.max(width, height), limits)
      const contents = contentStreams(page.node.lookup(PDFName.of('Contents')), doc)
      const all = sum([
        work.ofContent(contents, page.node.Resources() ?? null, 0),
        ...annotationsOf(page).map(({ appearance }) =>
          work.ofForm(appearance && doc.context.lookup(appearance), null, 0),
        ),
      ])
      if (all.bytes > maxPageWork) return refused('draws its parts too often')
      if (all.pixels > maxPagePixels)
        return refused(`has pictures or shadings of more than ${millions(maxPagePixels)} pixels in all`)
      pixels += all.pixels
    } catch (error) {
      if (error instanceof TooCostly) return refused(error.message)
      if (!(error instanceof SyntaxProblem)) throw error
      if (!isToBeDrawn) return refused('has content that cannot be read')
    }
    if (pixels > maxDocumentPixels) {
      return `has pictures or shadings of more than ${millions(maxDocumentPixels)} pixels in all; print it to PDF again`
    }
  }
  return null
}

const millions = (count: number): string => `${Math.round(count / 1e6)} million`

interface Work {
  /** Bytes of content that a viewer goes through, each as often as it does. */
  bytes: number
  /** Pixels of pictures, shadings, and groups that are drawn by themselves, each as often as it is drawn. */
  pixels: number
  /** The number of times that the innermost cell of its patterns shows if one of them fills the page. */
  tiles: number
}

const NOTHING: Work = { bytes: 0, pixels: 0, tiles: 1 }
/** The cost of starting another part, in bytes of content. */
const BEGINNING = 200

class TooCostly extends Error {}

const sum = (parts: readonly Work[]): Work => ({
  bytes: parts.reduce((all, { bytes }) => all + bytes, 0),
  pixels: parts.reduce((all, { pixels }) => all + pixels, 0),
  tiles: parts.reduce((most, { tiles }) => Math.max(most, tiles), 1),
})

const times = (count: number, { bytes, pixels, tiles }: Work): Work => ({
  bytes: count * bytes,
  pixels: count * pixels,
  tiles,
})

interface Colors {
  fill: Work
  stroke: Work
  /** A letter of the font; of one that is drawn by content, the most costly. */
  letter: Work
}

/** Each part is counted once for each page, because forms may take the resources of the page. @param side of the page, the longer */
function countedWork({ context }: PDFDocument, side: number, limits: PdfLimits) {
  const counted = new Map<PDFObject, Map<PDFDict | null, Work>>()

  const entry = (dict: PDFDict | null, kind: string, name: string): PDFObject | undefined => {
    const found = context.lookup(dict?.get(PDFName.of(kind)))
    return found instanceof PDFDict ? found.lookup(PDFName.of(name)) : undefined
  }

  /** Counted as nothing while it is being counted: readers end circles. */
  function once(object: PDFObject, resources: PDFDict | null, depth: number, count: () => Work): Work {
    if (depth > limits.maxDrawingDepth) throw new TooCostly('draws parts inside each other too deeply')
    const kept = counted.get(object) ?? new Map<PDFDict | null, Work>()
    counted.set(object, kept)
    const known = kept.get(resources)
    if (known) return known
    kept.set(resources, NOTHING)
    const work = count()
    kept.set(resources, work)
    return work
  }

  const ownResources = (dict: PDFDict, outer: PDFDict | null): PDFDict | null => {
    const own = dict.lookup(PDFName.of('Resources'))
    return own instanceof PDFDict ? own : outer
  }

  function ofForm(form: unknown, outer: PDFDict | null, depth: number): Work {
    if (!(form instanceof PDFRawStream)) return NOTHING
    const resources = ownResources(form.dict, outer)
    return once(form, resources, depth, () => {
      const group = form.dict.has(PDFName.of('Group')) ? { ...NOTHING, pixels: boxArea(form.dict) } : NOTHING
      return sum([ofContent([form], resources, depth), group])
    })
  }

  /** At most that of the page: no viewer draws what lies outside of it. */
  function boxArea(dict: PDFDict): number {
    const [x0, y0, x1, y1] = numbers(dict.lookup(PDFName.of('BBox')), [0, 0, side, side] as const)
    return Math.min(side * side, Math.abs((x1 - x0) * (y1 - y0)))
  }

  function ofImage(image: PDFStream, depth: number): Work {
    return once(image, null, depth, () => {
      const masks = ['SMask', 'Mask'].map((key) => image.dict.lookup(PDFName.of(key)))
      const work = ofPixels(imageSize(image))
      return sum([work, ...masks.map((mask) => (mask instanceof PDFStream ? ofPixels(imageSize(mask)) : NOTHING))])
    })
  }

  function ofPixels({ width, height }: ImageSize): Work {
    const { maxImageSide } = limits
    if (width > maxImageSide || height > maxImageSide) {
      throw new TooCostly(`has a picture of more than ${maxImageSide} pixels in width or height`)
    }
    return { ...NOTHING, pixels: width * height }
  }

  function ofPattern(pattern: unknown, outer: PDFDict | null, depth: number): Work {
    if (pattern instanceof PDFDict) {
      // Of others, only the part counts that is filled.
      const cost = costOfPixel(pattern.lookup(PDFName.of('Shading')))
      return cost > 1 ? { ...NOTHING, pixels: side * side * cost } : NOTHING
    }
    if (!(pattern instanceof PDFRawStream)) return NOTHING
    const cell = ofForm(pattern, outer, depth)
    const [a, b, c, d] = numbers(pattern.dict.lookup(PDFName.of('Matrix')), [1, 0, 0, 1, 0, 0] as const)
    const along = (key: string, scale: number): number => {
      const step = pattern.dict.lookup(PDFName.of(key))
      const length = step instanceof PDFNumber ? Math.abs(step.asNumber()) * scale : 0
      return Math.max(1, side / length)
    }
    const tiles = along('XStep', Math.hypot(a, b)) * along('YStep', Math.hypot(c, d)) * cell.tiles
    if (!(tiles <= limits.maxTiles)) {
      throw new TooCostly(`has a pattern that would repeat more than ${limits.maxTiles} times on it`)
    }
    return { ...cell, tiles }
  }

  /** The letters of a font may be drawn by content of its own. */
  function letterOf(font: unknown, outer: PDFDict | null, depth: number): Work {
    const letters = font instanceof PDFDict ? font.lookup(PDFName.of('CharProcs')) : null
    if (!(font instanceof PDFDict) || !(letters instanceof PDFDict)) return NOTHING
    const resources = ownResources(font, outer)
    return once(font, resources, depth, () => {
      const works = letters.values().map((letter) => ofForm(context.lookup(letter), resources, depth + 1))
      return works.reduce((most, work) => {
        return {
          bytes: Math.max(most.bytes, work.bytes),
          pixels: Math.max(most.pixels, work.pixels),
          tiles: Math.max(most.tiles, work.tiles),
        }
      }, NOTHING)
    })
  }

  function ofContent(streams: readonly PDFRawStream[], resources: PDFDict | null, depth: number): Work {
    let work = NOTHING
    let colors: Colors = { fill: NOTHING, stroke: NOTHING, letter: NOTHING }
    const kept: Colors[] = []
    const add = (more: Work) => {
      work = sum([work, more])
      if (work.bytes > limits.maxPageWork) throw new TooCostly('draws its parts too often')
    }
    const begin = (part: Work) => add({ ...part, bytes: part.bytes + BEGINNING })
    const named = (kind: string, last: Value | null): PDFObject | undefined =>
      last?.kind === 'name' ? entry(resources, kind, last.name) : undefined

    const operators: Readonly<Record<string, (last: Value | null) => void>> = {
      q: () => {
        kept.push(colors)
      },
      Q: () => {
        colors = kept.pop() ?? colors
      },
      Do: (last) => {
        const object = named('XObject', last)
        if (!(object instanceof PDFStream)) return
        const isImage = nameText(object.dict.lookup(PDFName.of('Subtype'))) === 'Image'
        begin(isImage ? ofImage(object, depth + 1) : ofForm(object, resources, depth + 1))
      },
      gs: (last) => {
        const state = named('ExtGState', last)
        const mask = state instanceof PDFDict ? state.lookup(PDFName.of('SMask')) : undefined
        if (mask instanceof PDFDict) begin(ofForm(mask.lookup(PDFName.of('G')), resources, depth + 1))
      },
      sh: (last) => begin({ ...NOTHING, pixels: side * side * costOfPixel(named('Shading', last)) }),
      Tf: (last) => {
        colors = { ...colors, letter: letterOf(named('Font', last), resources, depth + 1) }
      },
      scn: (last) => {
        colors = { ...colors, fill: ofPattern(named('Pattern', last), resources, depth + 1) }
      },
      SCN: (last) => {
        colors = { ...colors, stroke: ofPattern(named('Pattern', last), resources, depth + 1) }
      },
    }
    const plain = (word: string, last: Value | null): void => {
      if (PLAIN_FILL.has(word)) colors = { ...colors, fill: NOTHING }
      if (PLAIN_STROKE.has(word)) colors = { ...colors, stroke: NOTHING }
      if (FILLS.has(word)) add(colors.fill)
      if (STROKES.has(word)) add(colors.stroke)
      if (SHOWS.has(word) && last) {
        add(colors.fill)
        add(times(last.end - last.start, colors.letter))
      }
    }

    const content = joinedContent(streams.map(dataOfStream))
    add({ ...NOTHING, bytes: content.length })
    for (const size of inlineImageSizes(content)) add(ofPixels(size))
    readLoosely(content, (word, last) => (Object.hasOwn(operators, word) ? operators[word]!(last) : plain(word, last)))
    return work
  }

  return { ofContent, ofForm }
}

const PLAIN_FILL = new Set(['g', 'rg', 'k', 'cs', 'sc'])
const PLAIN_STROKE = new Set(['G', 'RG', 'K', 'CS', 'SC'])
const FILLS = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const STROKES = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
const SHOWS = new Set(['Tj', 'TJ', "'", '"'])

/** The streams of a page. */
const contentStreams = (contents: PDFObject | undefined, { context }: PDFDocument): PDFRawStream[] =>
  (contents instanceof PDFStream ? [contents] : items(contents).map((item) => context.lookup(item))).filter(
    (stream) => stream instanceof PDFRawStream,
  )
