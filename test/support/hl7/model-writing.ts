/** How a modelled message is written: delimiters, escapes, character sets, line ends, and the forms of ids, people and PDFs. */
import type { Random } from '../random.ts'

/** How one sender writes. */
export interface Hand {
  field: string
  component: string
  repetition: string
  escapeMark: string
  subcomponent: string
  /** Marks values that were cut short; empty where the sender has no such mark. */
  cut: string
  /** Whether EI and MSH-4 have the parts of an authority as subcomponents of one component, as in version 2.2. */
  isAuthorityDivided: boolean
  lineEnd: string
}

const HANDS = ['|^~\\&', '|^~\\&#', '|^~/&', '!:@\\*', '|^+\\&#', '*^~\\&']

export function aHand(random: Random): Hand {
  const [field, component, repetition, escapeMark, subcomponent, cut = ''] = random.pick(HANDS) as unknown as string[]
  const lineEnd = random.pick(['\r', '\r', '\r\n', '\n'])
  return {
    field: field!,
    component: component!,
    repetition: repetition!,
    escapeMark: escapeMark!,
    subcomponent: subcomponent!,
    cut,
    isAuthorityDivided: random.isSo(0.2),
    lineEnd,
  }
}

/** Returns a function that writes a value with the escapes of a sender. */
export function escaperOf(hand: Hand): (value: string) => string {
  const letters: Record<string, string> = {
    [hand.field]: 'F',
    [hand.component]: 'S',
    [hand.repetition]: 'R',
    [hand.escapeMark]: 'E',
    [hand.subcomponent]: 'T',
    ...(hand.cut && { [hand.cut]: 'P' }),
  }
  return (value) =>
    [...value]
      .map((one) => (letters[one] === undefined ? one : `${hand.escapeMark}${letters[one]}${hand.escapeMark}`))
      .join('')
}

/** Who assigned an id. */
export interface ModelAuthority {
  namespace: string
  universal: string
}

/** Returns the authority as the request names it. */
export const keyOf = ({ namespace, universal }: ModelAuthority): string =>
  universal === '' ? namespace : `${namespace}&${universal}&ISO`

/** Returns an id with its authority as the request has it. */
export const idOf = (authority: ModelAuthority, value: string): string =>
  keyOf(authority) === '' ? value : `${keyOf(authority)}|${value}`

const NAMESPACES = ['WILLOW', 'LAKE', 'EPIC', 'LAB', 'HUBA', 'HUBB']
const UNIVERSALS = ['2.16.840.1.113883.19.1', '2.16.840.1.113883.19.2', '1.2.3.4']

/** Every form of HD: a namespace, a universal id, both, or none. */
export function anAuthority(random: Random, canBeEmpty = true): ModelAuthority {
  const form = random.pick(canBeEmpty ? [0, 1, 2, 3] : [0, 1, 2])
  return {
    namespace: form === 0 || form === 2 ? random.pick(NAMESPACES) : '',
    universal: form === 1 || form === 2 ? random.pick(UNIVERSALS) : '',
  }
}

/** Returns an HD within a component, or over components. */
export const hdOf = ({ namespace, universal }: ModelAuthority, divider: string): string =>
  universal === '' ? namespace : [namespace, universal, 'ISO'].join(divider)

/** Returns the components, the empty ones at the end omitted. */
export function joined(parts: readonly string[], divider: string): string {
  const last = parts.findLastIndex((part) => part !== '')
  return parts.slice(0, last + 1).join(divider)
}

/** Returns a segment with values at the numbers of its fields. */
export function segmentOf(name: string, fields: Readonly<Record<number, string>>, hand: Hand): string {
  const length = Math.max(0, ...Object.keys(fields).map(Number))
  return [name, ...Array.from({ length }, (_, index) => fields[index + 1] ?? '')].join(hand.field)
}

/**
 * Returns the bytes of a PDF that no other order has; its Base64 has every character. Some have two revisions, and a part that ends with
 * the first one is a whole PDF.
 */
export function aPdf(serial: number, random: Random): Buffer {
  const first = Buffer.concat([
    Buffer.from(`%PDF-1.4\n1 0 obj<</Serial ${serial}>>endobj\n2 0 obj<</Length 90>>stream\n`),
    random.bytes(60 + random.below(40)).map((byte) => (byte === 37 ? 38 : byte)),
    Buffer.from('\xff\xfe\xfb\xef\xbe>?>?\nendstream endobj\ntrailer<<>>\n%%EOF\n', 'latin1'),
  ])
  if (random.isSo(0.7)) return first
  const second = `1 0 obj<</Serial ${serial}/Corrected (50 mg once daily)>>endobj\ntrailer<<>>\n%%EOF\n`
  return Buffer.concat([first, Buffer.from(' '.repeat((3 - (first.length % 3)) % 3) + second)])
}

/** Returns Base64 in one of the spellings that senders have. */
export function spelled(base64: string, hand: Hand, random: Random): string {
  const escaped = escaperOf(hand)
  switch (random.below(6)) {
    case 0:
      return escaped(base64.replace(/=+$/, ''))
    case 1:
      return escaped(base64.replaceAll('+', '-').replaceAll('/', '_'))
    case 2:
      return escaped(`data:application/pdf;base64,${base64}`)
    case 3:
      return (base64.match(/.{1,76}/g) ?? []).map(escaped).join(`${hand.escapeMark}.br${hand.escapeMark}`)
    case 4:
      return (base64.match(/.{1,76}/g) ?? []).map(escaped).join(hand.lineEnd)
    default:
      return escaped(base64)
  }
}
