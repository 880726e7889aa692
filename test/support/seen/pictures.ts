/**
 * Draws pages with viewers that share no code, and measures how far two pictures are apart. That tells one dose from another, but
 * not one font from a similar one.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Box } from '../../../lib/pdf/geometry.ts'
import { patience } from '../patience.ts'

export interface Picture {
  width: number
  height: number
  /** Pixels to a point. */
  scale: number
  /** 0 is white, 255 black. */
  darkness: Uint8Array
}

/** Draws the first pages, at most as many as given, with so many pixels to a point. */
type Painter = (pdf: Uint8Array, pages?: number, scale?: number) => Promise<Picture[]>

export interface Painters {
  /** The reader of the pages: what it draws is what a signer sees. */
  reader: Painter
  others: Readonly<Record<string, Painter>>
  close(): Promise<void>
}

/** Pixels to a point: enough to tell one dose from another. Viewers round thin lines to pixels, which a finer picture shows less of. */
const USUAL_SCALE = 1

/** @param others programs that draw as well, where they are installed */
export function createPainters(withPoppler: boolean, others: readonly (keyof typeof programs)[] = []): Painters {
  const worker = new Worker(new URL('./pictures.worker.ts', import.meta.url))
  const open = new Map<number, { resolve: (pictures: Picture[]) => void; reject: (error: Error) => void }>()
  let next = 0
  worker.on('message', ({ id, pictures, failure }) => {
    const question = open.get(id)
    open.delete(id)
    if (failure) question?.reject(new Error(failure))
    else question?.resolve(pictures)
  })
  worker.on('error', (error) => {
    for (const { reject } of open.values()) reject(error as Error)
  })
  const ask =
    (by: 'reader' | 'pdfium'): Painter =>
    (pdf, pages = ALL, scale = USUAL_SCALE) =>
      new Promise<Picture[]>((resolve, reject) => {
        open.set(++next, { resolve, reject })
        worker.postMessage({ id: next, by, pdf, scale, pages })
      })
  const program =
    (name: string, options: Options): Painter =>
    async (pdf, pages = ALL, scale = USUAL_SCALE) =>
      byProgram(name, options, pdf, { pages, scale })
  return {
    reader: ask('reader'),
    others: {
      pdfium: ask('pdfium'),
      ...(withPoppler && { poppler: program('pdftoppm', byPoppler) }),
      ...Object.fromEntries(others.map((name) => [name, program(name, programs[name])])),
    },
    close: async () => {
      await worker.terminate()
    },
  }
}

const ALL = 999
const dpi = (scale: number) => String(72 * scale)

interface Sheets {
  pages: number
  scale: number
}

type Options = (file: string, prefix: string, sheets: Sheets) => string[]

const byPoppler: Options = (file, prefix, { pages, scale }) => [
  ...['-q', '-gray', '-cropbox', '-r', dpi(scale), '-l', `${pages}`],
  ...[file, prefix],
]

/** The options with which other programs draw the same. */
export const programs = {
  mutool: (file, prefix, { pages, scale }) => [
    ...['draw', '-q', '-r', dpi(scale), '-c', 'rgb', '-o', `${prefix}%03d.ppm`, file],
    `1-${pages === ALL ? 'N' : pages}`,
  ],
  gs: (file, prefix, { pages, scale }) => [
    ...[
      '-q',
      '-dSAFER',
      '-dNOPAUSE',
      '-dBATCH',
      '-dUseCropBox',
      '-sDEVICE=ppmraw',
      `-r${dpi(scale)}`,
      `-dLastPage=${pages}`,
    ],
    ...['-dTextAlphaBits=4', '-dGraphicsAlphaBits=4', `-sOutputFile=${prefix}%03d.ppm`, file],
  ],
} satisfies Readonly<Record<string, Options>>

/** Draws with a program that writes one picture for each page. */
function byProgram(program: string, options: Options, pdf: Uint8Array, sheets: Sheets): Picture[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-test-'))
  try {
    const file = path.join(folder, 'document.pdf')
    writeFileSync(file, pdf)
    execFileSync(program, options(file, path.join(folder, 'page'), sheets), {
      stdio: 'ignore',
      timeout: patience(20_000),
    })
    const names = readdirSync(folder).filter((name) => /\.p[gp]m$/.test(name))
    return names.sort().map((name) => fromPnm(readFileSync(path.join(folder, name)), sheets.scale))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Gray or colored, 8 bits of a channel. */
function fromPnm(file: Buffer, scale: number): Picture {
  const head = /^P([56])\s+(?:#.*\n)*(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 200))
  if (!head) throw new Error('no picture was written')
  const light = file.subarray(head[0].length)
  const [width, height] = [Number(head[2]), Number(head[3])]
  const darkness = new Uint8Array(width * height)
  for (let i = 0; i < darkness.length; i++)
    darkness[i] =
      head[1] === '5'
        ? 255 - light[i]!
        : 255 - (0.3 * light[3 * i]! + 0.59 * light[3 * i + 1]! + 0.11 * light[3 * i + 2]!)
  return { width, height, scale, darkness }
}

/** Points of a cell: about half a letter of an order. */
const CELL = 4.5

/** The largest difference of darkness between cells of the same place, 0 to 255; 255 when the sizes differ. Boxes in points. */
export function distance(a: Picture, b: Picture, leftOut: readonly Box[]): number {
  // Viewers round the size of a page up or down to a pixel, some of them in points.
  if (Math.abs(a.width - b.width) > a.scale || Math.abs(a.height - b.height) > a.scale) return 255
  const [columns, rows] = [a.width, a.height].map((side) => Math.floor(side / (CELL * a.scale))) as [number, number]
  const [ours, theirs] = [cells(a, columns, rows), cells(b, columns, rows)]
  const isLeftOut = (column: number, row: number) =>
    leftOut.some(({ left, top, right, bottom }) => {
      const [x, y] = [column * CELL, row * CELL]
      return x + 2 * CELL > left && x - CELL < right && y + 2 * CELL > top && y - CELL < bottom
    })
  let largest = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (isLeftOut(column, row)) continue
      // A letter may fall into the next cell: what counts is the mean of a neighborhood.
      const difference = Math.abs(around(ours, columns, rows, column, row) - around(theirs, columns, rows, column, row))
      largest = Math.max(largest, difference)
    }
  }
  return largest
}

function cells({ width, height, scale, darkness }: Picture, columns: number, rows: number): Float64Array {
  const side = CELL * scale
  const sums = new Float64Array(columns * rows)
  const counts = new Float64Array(columns * rows)
  const columnOf = Uint16Array.from({ length: width }, (_, x) => Math.min(columns - 1, Math.floor(x / side)))
  for (let y = 0; y < height; y++) {
    const row = Math.min(rows - 1, Math.floor(y / side))
    for (let x = 0; x < width; x++) {
      const cell = row * columns + columnOf[x]!
      sums[cell]! += darkness[y * width + x]!
      counts[cell]!++
    }
  }
  return sums.map((sum, i) => sum / counts[i]!)
}

function around(values: Float64Array, columns: number, rows: number, column: number, row: number): number {
  let sum = 0
  let count = 0
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
      sum += values[y * columns + x]!
      count++
    }
  }
  return sum / count
}
