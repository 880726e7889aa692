/** The interactive form of a document: whether someone has signed it, and whether its fields show what they hold. */
import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFStream,
  PDFString,
} from 'pdf-lib'
import { nameText } from '../guard/survey.ts'
import { fold } from '../text/fold.ts'
import { type Annotation, inherited } from './annotation.ts'
import { elements } from './elements.ts'

export const formOf = ({ catalog }: PDFDocument): PDFDict | null => {
  const form = catalog.lookup(PDFName.of('AcroForm'))
  return form instanceof PDFDict ? form : null
}

/** Whether viewers are asked to redraw the fields, from their values. */
export const isDrawnAnew = (form: PDFDict | null): boolean =>
  form?.lookup(PDFName.of('NeedAppearances')) === PDFBool.True

export const isSignatureField = (widget: PDFDict): boolean => nameText(inherited(widget, 'FT')) === 'Sig'

/** Whether someone has signed this document already. */
export function isSigned(doc: PDFDocument): boolean {
  // A tree of fields may lead into itself.
  const seen = new Set<PDFObject>()
  const hasSignature = (fields: PDFObject | undefined): boolean =>
    elements(fields).some((field) => {
      if (!(field instanceof PDFDict) || seen.has(field)) return false
      seen.add(field)
      const isFilled = isSignatureField(field) && inherited(field, 'V') instanceof PDFDict
      return isFilled || hasSignature(field.lookup(PDFName.of('Kids')))
    })
  return hasSignature(formOf(doc)?.lookup(PDFName.of('Fields')))
}

const PUSH_BUTTON = 1 << 16
const PASSWORD = 1 << 13
const COMBO = 1 << 17

/** Whether the field holds something that it shows nowhere, so that each viewer draws it in a way of its own. */
export function isValueWithoutAppearance({ dict, isShown, appearance }: Annotation): boolean {
  if (!isShown || appearance) return false
  const value = inherited(dict, 'V')
  if (isButton(dict)) return value instanceof PDFName && !isPushButton(dict) && isOn(dict, value.decodeText())
  if (isListOfEntries(dict)) return true
  return fold(textOf(value)) !== ''
}

/**
 * Whether the field is a box that is off and has no appearance for that. PDFium, unlike other viewers, then draws a frame and its
 * inside over the page.
 */
export function isBareBox({
  subtype,
  dict,
  isShown,
  appearance,
  rect: [left, bottom, right, top],
}: Annotation): boolean {
  const isSmall = right - left <= LARGEST_BOX && top - bottom <= LARGEST_BOX
  return subtype === 'Widget' && isShown && !appearance && isSmall && isButton(dict) && !isPushButton(dict)
}

/** In points. */
const LARGEST_BOX = 30

/** A box without states of its own is on when its field has any value but Off. */
function isOn(dict: PDFDict, value: string): boolean {
  const appearances = dict.lookup(PDFName.of('AP'))
  const states = appearances instanceof PDFDict ? appearances.lookup(PDFName.of('N')) : undefined
  return states instanceof PDFDict ? states.has(PDFName.of(value)) && value !== 'Off' : value !== 'Off'
}

/**
 * Whether a viewer that redraws this field shows the same as its appearance.
 * @param shown the text of the appearance.
 */
export function showsItsValue({ dict, isShown, appearance }: Annotation, shown: string): boolean {
  if (!isShown || isSignatureField(dict)) return true
  const value = inherited(dict, 'V') ?? inherited(dict, 'DV')
  if (isButton(dict)) return isPushButton(dict) || showsItsState(dict, value, appearance !== null)
  // Each viewer shows as many of its entries as it likes, whether one is chosen or not.
  if (isListOfEntries(dict)) return false
  const text = textOf(value)
  // Viewers format these in ways of their own: rich text, and hidden digits.
  if (text !== '' && ((flagsOf(dict) & PASSWORD) !== 0 || inherited(dict, 'RV') !== undefined)) return false
  const limit = inherited(dict, 'MaxLen')
  if (limit instanceof PDFNumber && text.length > limit.asNumber()) return false
  return fold(displayed(dict, text)) === fold(shown)
}

function showsItsState(dict: PDFDict, value: PDFObject | undefined, isDrawn: boolean): boolean {
  const wanted = value instanceof PDFName ? value.decodeText() : 'Off'
  const state = nameText(dict.lookup(PDFName.of('AS'))) || wanted
  const expected = isOn(dict, wanted) ? wanted : 'Off'
  return (state === expected || (expected === 'Off' && !isOn(dict, state))) && (isDrawn || expected === 'Off')
}

/** Whether the field is a list that lies open. */
const isListOfEntries = (dict: PDFDict): boolean =>
  nameText(inherited(dict, 'FT')) === 'Ch' &&
  (flagsOf(dict) & COMBO) === 0 &&
  (elements(inherited(dict, 'Opt')).length > 0 || textOf(inherited(dict, 'V')) !== '')

const isButton = (dict: PDFDict): boolean => nameText(inherited(dict, 'FT')) === 'Btn'
const isPushButton = (dict: PDFDict): boolean => (flagsOf(dict) & PUSH_BUTTON) !== 0

function flagsOf(dict: PDFDict): number {
  const flags = inherited(dict, 'Ff')
  return flags instanceof PDFNumber ? flags.asNumber() : 0
}

/** A choice may be shown in other words than it is kept in. */
function displayed(dict: PDFDict, value: string): string {
  const options = elements(inherited(dict, 'Opt')).map((option) => elements(option).map(textOf))
  return options.find(([kept]) => kept === value)?.[1] ?? value
}

function textOf(value: PDFObject | undefined): string {
  if (value instanceof PDFString || value instanceof PDFHexString) return value.decodeText()
  if (value instanceof PDFArray) return elements(value).map(textOf).join('')
  if (value instanceof PDFStream) return UNREADABLE
  return value instanceof PDFName ? value.decodeText() : ''
}

/** For a value that is kept as a stream; no appearance says it. */
const UNREADABLE = '\ufffd'
