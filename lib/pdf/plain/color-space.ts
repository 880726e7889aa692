/** The color spaces of a plain document: those of a screen, and profiles that say the same. ISO 32000-1, 8.6. */
import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject, PDFRawStream, PDFString } from 'pdf-lib'
import { dictIn, keys, numberIn, numbersIn, onlyKeys, textOfName, wholeIn } from './entries.ts'
import { isStandardProfile } from './icc-profile.ts'
import { NotPlain, ProfileUnknown } from './not-plain.ts'
import { unpacked } from './stream.ts'

export interface ColorSpace {
  /** Numbers of a color; 0 for one that a form has from outside, in which it must not set any. */
  components: 0 | 1 | 3 | 4
  /** The number of colors of a palette. */
  colors?: number
  /** A black ink with one number, for its amount, and what viewers make of it: gray of a screen, or black of four inks. */
  blackInk?: 'gray' | 'inks'
}

const DEVICE: Readonly<Record<string, ColorSpace>> = {
  DeviceGray: { components: 1 },
  DeviceRGB: { components: 3 },
  DeviceCMYK: { components: 4 },
}

const OTHER = 'color spaces that viewers convert differently'

/** Returns the color space that this name means where content names it. Throws a `NotPlain` for one outside of the grammar. */
export function namedSpace(name: string, resources: PDFDict): ColorSpace {
  const device = DEVICE[name]
  if (device) return device
  const value = dictIn(resources, 'ColorSpace')?.lookup(PDFName.of(name))
  return value instanceof PDFArray && textOfName(value.lookup(0)) === 'Separation' ? blackInk(value) : colorSpace(value)
}

/** Those that print black, from white to black in even steps. ISO 32000-1, 8.6.6.4 and 7.10.3. */
function blackInk(value: PDFArray): ColorSpace {
  const tint = value.size() === 4 ? value.lookup(3) : undefined
  if (!['All', 'Black'].includes(textOfName(value.lookup(1)) ?? '') || !(tint instanceof PDFDict))
    throw new NotPlain(OTHER)
  onlyKeys(tint, TINT_KEYS, OTHER)
  const { components } = colorSpace(value.lookup(2))
  const white = Array.from({ length: components }, () => (components === 4 ? 0 : 1))
  const black = white.map((_, i) => (i === 3 ? 1 : 0))
  const range = white.flatMap(() => [0, 1])
  const is = (key: string, wanted: readonly number[]) => String(numbersIn(tint, key, wanted.length)) === String(wanted)
  const isEven = numberIn(tint, 'FunctionType') === 2 && numberIn(tint, 'N') === 1 && is('Domain', [0, 1])
  const isInRange = !tint.has(PDFName.of('Range')) || is('Range', range)
  if (!isEven || !isInRange || !is('C0', white) || !is('C1', black)) throw new NotPlain(OTHER)
  return { components: 1, blackInk: components === 4 ? 'inks' : 'gray' }
}

const TINT_KEYS = keys('FunctionType Domain Range C0 C1 N')

export function colorSpace(value: PDFObject | undefined): ColorSpace {
  if (value instanceof PDFName) {
    const device = DEVICE[value.decodeText()]
    if (device) return device
  }
  const family = value instanceof PDFArray && value.size() === 2 ? value.lookup(0) : undefined
  if (!(value instanceof PDFArray) || !(family instanceof PDFName) || family.decodeText() !== 'ICCBased')
    throw new NotPlain(OTHER)
  const profile = value.lookup(1)
  const components = profile instanceof PDFRawStream ? wholeIn(profile.dict, 'N', 1, 3) : null
  if (!(profile instanceof PDFRawStream) || (components !== 1 && components !== 3)) throw new NotPlain(OTHER)
  if (!isStandardProfile(unpacked(profile, MOST_PROFILE), components)) throw new ProfileUnknown(OTHER)
  return { components }
}

const MOST_PROFILE = 4 * 1024 * 1024

/** The color space of a picture, which may have a palette. */
export function pictureSpace(value: PDFObject | undefined): ColorSpace {
  const family = value instanceof PDFArray && value.size() === 4 ? value.lookup(0) : undefined
  if (!(value instanceof PDFArray) || !(family instanceof PDFName) || family.decodeText() !== 'Indexed')
    return colorSpace(value)
  const { components } = colorSpace(value.lookup(1))
  const last = value.lookup(2)
  const table = value.lookup(3)
  const colors = last instanceof PDFNumber && Number.isInteger(last.asNumber()) ? last.asNumber() + 1 : 0
  const bytes =
    table instanceof PDFRawStream
      ? unpacked(table, MOST_PROFILE)
      : table instanceof PDFString || table instanceof PDFHexString
        ? table.asBytes()
        : null
  if (colors < 1 || colors > 256 || components === 4 || bytes?.length !== colors * components)
    throw new NotPlain('pictures with a palette that viewers read differently')
  return { components: 1, colors }
}

/** Whether a document says under this name how the colors of a screen are to be converted; only some viewers do so. */
export const isDefault = (key: PDFName): boolean => /^Default(?:Gray|RGB|CMYK)$/.test(key.decodeText())

export function checkDefaults(resources: PDFDict): void {
  const spaces = dictIn(resources, 'ColorSpace')
  if (spaces?.keys().some(isDefault)) throw new ProfileUnknown(OTHER)
}

/**
 * Viewers convert inks to the colors of a screen in ways of their own. They agree on black, and are up to 22 of 255 levels apart for
 * up to half of it: dark grays are up to 39 apart.
 */
export const isPlainInk = ([c, m, y, k]: readonly number[]): boolean =>
  c === 0 && m === 0 && y === 0 && (k! <= 0.5 || k === 1)

/** Returns the amounts of the four inks of a color, or null where it is one of a screen. */
export function inksOf({ components, blackInk }: ColorSpace, color: readonly number[]): readonly number[] | null {
  if (components === 4) return color
  return blackInk === 'inks' ? [0, 0, 0, color[0]!] : null
}
