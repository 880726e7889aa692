/** The stamp of a signature: the typed name or the drawn signature, and a caption that says who signed and when. */
import { type PDFImage, type PDFPage, rgb } from 'pdf-lib'
import type { Box } from '../../../lib/pdf/geometry.ts'
import { inkText } from '../../../lib/pdf/text/ink-text.ts'
import { dateIn } from '../../../lib/time-zone.ts'
import type { Ink } from '../completion.ts'
import { fitNames, type Sentence } from './fit-names.ts'
import type { Lettering } from './fonts.ts'
import { blue, inkIn } from './ink-in.ts'

const accent = rgb(0.13, 0.36, 0.68)
const quiet = rgb(0.3, 0.35, 0.42)

/** Draws a bar at the left, the typed name or the drawn signature, and below it a caption. Returns the lines of the caption. */
export function stampSignature(
  page: PDFPage,
  box: Box,
  { signer, signedAt, timeZone }: Ink,
  image: PDFImage | undefined,
  hand: Lettering,
  text: Lettering,
): string[] {
  const name = onOneLine(signer.name)
  const people = [
    ...(image ? [{ role: 'by', name }] : []),
    ...(signer.onBehalfOf ? [{ role: 'on behalf of', name: onOneLine(signer.onBehalfOf.name) }] : []),
  ]
  const captions = captionsOf(
    people.map(({ role }) => role),
    dateIn(timeZone, signedAt),
  )
  let lines: string[] = []
  inkIn(page, box, ({ width, height }) => {
    const bar = Math.min(2, width / 40)
    page.drawRectangle({ x: 0, y: 0, width: bar, height, color: accent })
    const left = bar * 3
    const room = Math.max(width - left, 1)
    const captionHeight = height * 0.3
    const below = { x: left, y: 0, width: room, height: captionHeight, maxSize: 7, minSize: 4, color: quiet }
    const named = people.map((person) => person.name)
    lines = writeNames(page, named, captions, text, below)
    if (image) {
      const scale = Math.min(room / image.width, (height - captionHeight) / image.height)
      page.drawImage(image, {
        x: left,
        y: captionHeight,
        width: image.width * scale,
        height: image.height * scale,
      })
    } else {
      const above = height - captionHeight
      const place = { x: left, y: captionHeight, width: room, height: above, maxSize: 22, minSize: 6, color: blue }
      writeNames(page, [name], [(shown) => shown.join('')], hand, place)
    }
  })
  return lines
}

/** Returns the possible captions, the fullest first. The names are those of the people with these roles, in their order. */
function captionsOf(roles: readonly string[], day: string): [Sentence, ...Sentence[]] {
  const saying = (signed: string, whose: readonly string[]): Sentence => {
    return (names) => [signed, ...whose.map((role, index) => `${role} ${names[index]}`), '·', day].join(' ')
  }
  const [long, short] = ['Electronically signed', 'Signed']
  return [saying(long, roles), saying(short, roles), saying(long, []), saying(short, []), () => day]
}

const onOneLine = (name: string) => inkText(name).replaceAll('\n', ' ')

interface Place {
  x: number
  y: number
  width: number
  height: number
  maxSize: number
  minSize: number
  color: ReturnType<typeof rgb>
}

/** Writes names as large as their place allows, centered between top and bottom. Returns the lines as drawn. */
function writeNames(
  page: PDFPage,
  names: readonly string[],
  sentences: readonly [Sentence, ...Sentence[]],
  letters: Lettering,
  { x, y, color, ...room }: Place,
): string[] {
  const { lines, size, lineHeight } = fitNames(names, sentences, room, letters.width)
  const top = y + (room.height + lines.length * lineHeight) / 2
  return lines.map((line, i) => {
    const middle = top - (i + 0.5) * lineHeight
    return letters.draw(page, line, { x, y: middle - size * 0.28, size, color })
  })
}
