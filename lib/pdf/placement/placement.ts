/** Turns annotations into fields: which field is where on which page. Pure; what is in the text comes in as hits. */
import type { Annotations, JsonAnnotation, ReferenceTextAnnotation } from '../../contract/task/annotations.ts'
import { type FieldType, fieldTypes, prefilled } from '../../contract/task/field-kinds.ts'
import { tokensOf } from '../../profile/names.ts'
import { defaultProfile } from '../../profile/parse-profile.ts'
import { type Box, keepOnPage, type PageSize } from '../geometry.ts'
import { inReadingOrder } from '../text/reading-order.ts'
import type { Hit, NeedleKind } from '../text/search.ts'
import { aroundInk, overlap, usualBox } from './usual-box.ts'

/** A field as placed on the document. */
export interface Field {
  /** Counted from 1. */
  page: number
  /** Points on the displayed page, origin top-left. */
  box: Box
  /** The kind of field that the signer completes there. */
  type: FieldType
  /** Whether the signer must fill the field in. */
  required: boolean
  /** Text that pre-fills a TextArea. */
  value: string | null
  /** Text of the document that gives way to the field, such as the token that asked for it: covered when it is signed. */
  covers?: readonly Box[] | undefined
}

/** Where the fields are, or why they cannot be placed. */
export type Placed =
  | {
      /** Every field has its place. */
      ok: true
      /** In the order of the annotations. */
      fields: Field[]
    }
  | {
      /** At least one field has no place. */
      ok: false
      /** A sentence that names the annotation by its path, and never quotes the document. */
      problem: string
    }

/** The tokens of our own service: one for each of `fieldTypes`, in that order. */
export const ownTokens: readonly string[] = tokensOf(defaultProfile)

/**
 * Returns what has to be found in the text before these annotations can be placed; null when nothing has to.
 * @param tokens one for each of `fieldTypes`, in that order
 */
export function needlesOf(
  annotations: Annotations,
  tokens: readonly string[] = ownTokens,
): { kind: NeedleKind; texts: string[] } | null {
  switch (annotations.type) {
    case 'SmartAnnotations':
      return { kind: 'token', texts: [...tokens] }
    case 'ReferenceText':
      return { kind: 'phrase', texts: annotations.data.map(({ referenceText }) => referenceText) }
    case 'Template':
    case 'Json':
      return null
  }
}

/**
 * Returns where the fields are, or what is wrong: a problem names the annotation by its path, and never quotes the document.
 * @param templateFields the fields of the chosen template, used by annotations of type Template only.
 * @param hits for each of `needlesOf(annotations, tokens)`, in that order and in reading order.
 * @param tokens as the host writes them.
 * @param textsOn returns where text is on a page that has hits.
 */
export function placeFields(
  annotations: Annotations,
  templateFields: readonly Field[],
  pages: readonly PageSize[],
  hits: readonly (readonly Hit[])[],
  tokens: readonly string[] = ownTokens,
  textsOn: TextsOn = () => [],
): Placed {
  switch (annotations.type) {
    case 'Template':
      return placeTemplate(templateFields, pages)
    case 'Json':
      return placeBoxes(annotations.data, pages)
    case 'SmartAnnotations':
      return placeTokens(pages, hits, tokens, textsOn)
    case 'ReferenceText':
      return placeBesideTexts(annotations.data, pages, hits, textsOn)
  }
}

function placeBoxes(data: readonly JsonAnnotation[], pages: readonly PageSize[]): Placed {
  const [problem] = jsonProblems(data, pages)
  if (problem) return { ok: false, problem }
  const fields = data.map(({ pageNumber, left, top, right, bottom, ...item }) =>
    field(item, pageNumber, keepOnPage({ left, top, right, bottom }, pages[pageNumber - 1]!)),
  )
  return { ok: true, fields }
}

/**
 * The first hit in reading order counts, or rather the first that agrees in its white space when there is one. Offsets lead
 * right and down from its top left. choice: First match of a reference text, Offsets
 */
function placeBesideTexts(
  data: readonly ReferenceTextAnnotation[],
  pages: readonly PageSize[],
  hits: readonly (readonly Hit[])[],
  textsOn: TextsOn,
): Placed {
  const missing = data.findIndex((_, i) => !hits[i]?.length)
  if (missing >= 0)
    return { ok: false, problem: `${path(missing, 'referenceText')} was not found in the text of the PDF` }
  const fields = data.map((item, i) => {
    const { page, box } = hits[i]!.find(({ isExact }) => isExact) ?? hits[i]![0]!
    const [left, top] = [box.left + item.offsetX, box.top + item.offsetY]
    return field(item, page, usualBox(item.type, left, top, pages[page - 1]!, textsOn(page)))
  })
  return { ok: true, fields }
}

/** Coordinates are rounded by their senders; this much beyond the edge is still the edge. */
const EDGE = 0.5

/** Names every page beyond the document and every edge outside its page. choice: Coordinates, Pages beyond the document */
export function jsonProblems(
  data: readonly { pageNumber: number; left: number; top: number; right: number; bottom: number }[],
  pages: readonly PageSize[],
): string[] {
  return data.flatMap((item, i) => {
    const page = pages[item.pageNumber - 1]
    const count = `${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`
    if (!page) return [`${path(i, 'pageNumber')}: the document has ${count}`]
    const outside = (edge: 'left' | 'top' | 'right' | 'bottom', limit: number) =>
      item[edge] < -EDGE || item[edge] > limit + EDGE
        ? [
            `${path(i, edge)}: outside page ${item.pageNumber}, which is ${points(page.width)} × ${points(page.height)} points`,
          ]
        : []
    return [
      ...outside('left', page.width),
      ...outside('top', page.height),
      ...outside('right', page.width),
      ...outside('bottom', page.height),
    ]
  })
}

function placeTemplate(fields: readonly Field[], pages: readonly PageSize[]): Placed {
  const where = 'document.annotations.templateId'
  if (fields.length === 0) return { ok: false, problem: `${where}: the template has no fields` }
  const beyond = fields.find(({ page }) => page > pages.length)
  if (beyond) {
    const problem = `${where}: the template has a field on page ${beyond.page}, the document has ${pages.length}`
    return { ok: false, problem }
  }
  return { ok: true, fields: fields.map((known) => ({ ...known, box: keepOnPage(known.box, pages[known.page - 1]!) })) }
}

/** Every token counts, on every page, and gives way to its field. choice: Several tokens, Text of tokens */
function placeTokens(
  pages: readonly PageSize[],
  hits: readonly (readonly Hit[])[],
  tokens: readonly string[],
  textsOn: TextsOn,
): Placed {
  const found = fieldTypes.flatMap((type, i) => (hits[i] ?? []).map((hit) => ({ ...hit, type })))
  if (found.length === 0) {
    const problem = `document.annotations: none of the tokens ${tokens.join(', ')} was found in the text of the PDF`
    return { ok: false, problem }
  }
  const fields = inReadingOrder(found).map(({ type, page, box, lines, em }) => {
    const others = textsOn(page).filter((text) => !lines.some((line) => overlap(text, line)))
    const place = usualBox(type, box.left, box.top, pages[page - 1]!, others)
    return { ...field({ type }, page, place), covers: lines.map((line) => aroundInk(line, em)) }
  })
  return { ok: true, fields }
}

/** Returns the boxes of the letters on a page. */
type TextsOn = (page: number) => readonly Box[]

interface Asked {
  type: FieldType
  required?: boolean | null | undefined
  value?: string | null | undefined
}

const field = ({ type, required, value }: Asked, page: number, box: Box): Field => ({
  page,
  box,
  type,
  required: required ?? false,
  value: prefilled(type, value),
})

const path = (index: number, name: string) => `document.annotations.data[${index}].${name}`

const points = (value: number) => Math.round(value * 10) / 10
