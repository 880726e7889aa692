/** The graphics states of a plain document: widths of lines, and how much shows through. ISO 32000-1, 8.4.5. */
import { PDFBool, type PDFDict, PDFName, PDFNumber, type PDFObject } from 'pdf-lib'
import { textOfName } from './entries.ts'
import { NotPlain } from './not-plain.ts'
import { OPERANDS } from './operators.ts'

const isNumber = (least: number, most: number) => (value: PDFObject | undefined) =>
  value instanceof PDFNumber && value.asNumber() >= least && value.asNumber() <= most
/** Where it is not 0, it is so much that every viewer shows it. */
const isOpacity = (value: PDFObject | undefined) => isNumber(0, 0)(value) || isNumber(0.02, 1)(value)
const isOneOf = (values: readonly (string | boolean | number)[]) => (value: PDFObject | undefined) => {
  if (value instanceof PDFBool) return values.includes(value.asBoolean())
  if (value instanceof PDFNumber) return values.includes(value.asNumber())
  return values.includes(textOfName(value) ?? '')
}
const any = () => true

/** The valid values of each entry. */
const ENTRIES: Readonly<Record<string, (value: PDFObject | undefined) => boolean>> = {
  Type: isOneOf(['ExtGState']),
  Name: any,
  LW: isNumber(0, 1_000),
  LC: isOneOf([0, 1, 2]),
  LJ: isOneOf([0, 1, 2]),
  ML: isNumber(...OPERANDS.miter),
  RI: any,
  FL: isNumber(0, 1),
  SM: isNumber(0, 1),
  SA: isOneOf([true, false]),
  CA: isOpacity,
  ca: isOpacity,
  BM: isOneOf(['Normal', 'Compatible']),
  SMask: isOneOf(['None']),
  AIS: isOneOf([false]),
  OP: isOneOf([true, false]),
  op: isOneOf([true, false]),
  OPM: isOneOf([0, 1]),
  TK: isOneOf([true]),
  TR: isOneOf(['Identity']),
  TR2: isOneOf(['Default']),
  BG2: isOneOf(['Default']),
  UCR2: isOneOf(['Default']),
  HT: isOneOf(['Default']),
}

export function checkGraphicsState(state: PDFDict): void {
  for (const key of state.keys()) {
    const isAllowed = ENTRIES[key.decodeText()]
    if (!isAllowed?.(state.lookup(key))) throw new NotPlain('colors or transparency that viewers mix differently')
  }
}

/** Returns whether colors of inks leave what is below them from here on; null where the state does not say it. */
export function overprintsIn(state: PDFDict): boolean | null {
  const values = ['OP', 'op'].map((key) => state.lookup(PDFName.of(key)))
  return values.every((value) => value === undefined) ? null : values.includes(PDFBool.True)
}

const GROUP: Readonly<Record<string, (value: PDFObject | undefined) => boolean>> = {
  Type: isOneOf(['Group']),
  S: isOneOf(['Transparency']),
  I: isOneOf([true, false]),
  K: isOneOf([false]),
}

/** @param isScreenSpace whether a color space is one of those of a screen */
export function checkGroup(group: PDFDict, isScreenSpace: (value: PDFObject | undefined) => boolean): void {
  for (const key of group.keys()) {
    const text = key.decodeText()
    const isRight = text === 'CS' ? isScreenSpace(group.lookup(key)) : GROUP[text]?.(group.lookup(key))
    if (!isRight) throw new NotPlain('colors or transparency that viewers mix differently')
  }
}
