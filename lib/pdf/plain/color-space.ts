/** The color spaces of a plain document: those of a screen, and profiles that say the same. ISO 32000-1, 8.6. */
import {
  PDFArray,
  type PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from 'pdf-lib'
import { dictIn, wholeIn } from './entries.ts'
import { isStandardProfile } from './icc-profile.ts'
import { NotPlain } from './not-plain.ts'
import { unpacked } from './stream.ts'

export interface ColorSpace {
  /** Numbers of a color. */
  components: 1 | 3 | 4
  /** The number of colors of a palette. */
  colors?: number
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
  return colorSpace(dictIn(resources, 'ColorSpace')?.lookup(PDFName.of(name)))
}

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
  if (!isStandardProfile(unpacked(profile, MOST_PROFILE), components)) throw new NotPlain(OTHER)
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

/** Names under which a document says how the colors of a screen are to be converted; only some viewers do so. */
export function checkDefaults(resources: PDFDict): void {
  const spaces = dictIn(resources, 'ColorSpace')
  const isDefault = (key: PDFName) => /^Default(?:Gray|RGB|CMYK)$/.test(key.decodeText())
  if (spaces?.keys().some(isDefault)) throw new NotPlain(OTHER)
}

/** Viewers convert inks to the colors of a screen in ways of their own; they agree on black alone and on no ink. */
export const isPlainInk = ([c, m, y, k]: readonly number[]): boolean =>
  c === 0 && m === 0 && y === 0 && (k === 0 || k === 1)
