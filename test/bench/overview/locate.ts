/** Finding the places of the fields, as a thread does that has been at work for a while; beside `pdftotext -bbox` with its process. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openStructure } from '../../../lib/pdf/guard/structure.ts'
import { needlesOf } from '../../../lib/pdf/placement/placement.ts'
import { fontExtents } from '../../../lib/pdf/text/font-extents.ts'
import { locate } from '../../../lib/pdf/text/text.ts'
import { InflateAtOnce } from '../../../server/pdf/workers/inflate-at-once.ts'
import { fixture } from '../../support/fixtures.ts'
import { medianTime } from './median-time.ts'
import { median, type Row, RUNS } from './row.ts'

const documents = [
  'orders/reportlab-plain-order',
  'orders/chromium-order',
  'orders/ghostscript-order',
  'orders/libreoffice-order',
  'producers/latex_t1',
  'producers/chromium__crop_rot90',
]
const { kind, texts } = needlesOf({ type: 'SmartAnnotations' })!

/** The document whose ratio is the median, and the one whose ratio is the worst; none where pdftotext is not installed. */
export async function locateRows(): Promise<Row[]> {
  if (spawnSync('pdftotext', ['-v']).error) return []
  // As threads of the service have it.
  globalThis.DecompressionStream = InflateAtOnce
  const measured: { name: string; ours: number[]; floor: number[] }[] = []
  for (const name of documents) measured.push({ name, ...(await timesOf(name)) })
  const ratio = ({ ours, floor }: { ours: number[]; floor: number[] }) => median(ours) / median(floor)
  const sorted = measured.toSorted((a, b) => ratio(a) - ratio(b))
  const row = (which: string, { name, ours, floor }: (typeof measured)[number]): Row => ({
    work: `Find the places of the fields, ${which} of ${documents.length} documents (${name.split('/')[1]})`,
    unit: 'ms',
    ours,
    floor: { what: '`pdftotext -bbox` with its process', values: floor },
  })
  return [row('median', sorted[Math.floor(sorted.length / 2)]!), row('worst', sorted.at(-1)!)]
}

async function timesOf(name: string): Promise<{ ours: number[]; floor: number[] }> {
  const pdf = fixture(`pdf/${name}.pdf`)
  const file = fileURLToPath(new URL(`../../fixtures/pdf/${name}.pdf`, import.meta.url))
  const find = async () => {
    const opened = await openStructure(pdf)
    if (opened.ok) await locate(pdf, texts, { kind, extents: fontExtents(opened.doc) })
  }
  const look = () => spawnSync('pdftotext', ['-bbox', file, '-'])
  await medianTime(find, WARM_UP)
  const times: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
  for (let run = 0; run < RUNS; run++) {
    times.ours.push(await medianTime(find, TIMES))
    times.floor.push(await medianTime(look, TIMES))
  }
  return times
}

const WARM_UP = 60
const TIMES = 10
