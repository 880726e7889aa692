/** Pictures of pages as people see them elsewhere: by PDFium and, where it is installed, by poppler. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Box } from '../../../lib/pdf/geometry.ts'
import { picturesDiffer } from '../../../server/pdf/compare/picture-difference.ts'
import { type Picture, withPictures } from '../../../server/pdf/compare/pictures.ts'

const hasPoppler = spawnSync('pdftoppm', ['-v']).error === undefined

export const viewers = ['PDFium', ...(hasPoppler ? ['poppler'] : [])]

/** Which viewers see something else on this page of the two documents, outside the boxes. Shifts of a pixel do not count. */
export async function viewersThatDiffer(a: Uint8Array, b: Uint8Array, page: number, except: readonly Box[] = []) {
  const pairs = [
    await withPictures(
      [a, b],
      async ([x, y]) => [kept(await x!.ofPage(page, 1)), kept(await y!.ofPage(page, 1))] as const,
    ),
  ]
  if (hasPoppler) pairs.push([drawnByPoppler(a, page), drawnByPoppler(b, page)])
  return viewers.filter((_, i) => {
    const [one, other] = pairs[i]!
    return picturesDiffer(one, other, { width: one.width, height: one.height }, except, { level: 64, reach: 1 })
  })
}

/** The picture itself is gone when the viewer is. */
const kept = (picture: Picture): Picture => ({ ...picture, data: picture.data.slice() })

/** One pixel to a point. */
function drawnByPoppler(pdf: Uint8Array, page: number): Picture {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-test-'))
  try {
    const file = path.join(folder, 'document.pdf')
    writeFileSync(file, pdf)
    const ppm = execFileSync('pdftoppm', ['-cropbox', '-r', '72', '-f', `${page}`, '-l', `${page}`, file], {
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return pictureOf(ppm)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** P6, width, height, 255, then three bytes for each pixel. */
function pictureOf(ppm: Buffer): Picture {
  const [header, width, height] = /^P6\s(\d+)\s(\d+)\s255\s/.exec(ppm.toString('latin1', 0, 64))!
  const pixels = ppm.subarray(header.length)
  const data = new Uint8Array(Number(width) * Number(height) * 4).fill(255)
  for (let i = 0; i < data.length / 4; i++) data.set(pixels.subarray(3 * i, 3 * i + 3), 4 * i)
  return { width: Number(width), height: Number(height), data }
}
