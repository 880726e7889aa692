/** Compares, document by document, what its signer saw with what each viewer shows of the sealed file. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createPdfPool } from '../../../server/pdf/workers/pool.ts'
import { type Judged, judge } from '../mutants/judge.ts'
import { type Random, randomFrom } from '../random.ts'
import { installed, installedViewers } from '../seen/external-checks.ts'
import { createPainters } from '../seen/pictures.ts'

export interface Range {
  seed: number
  /** The first document, from 0. */
  from: number
  /** How many from there on. */
  count: number
  /** A file with a line for each document; those that it has are not compared again. */
  out?: string
  /** A folder for documents that look different. */
  keep?: string
}

/** @param make the document of a number; the same for the same random numbers */
export async function compared(
  range: Range,
  make: (random: Random, number: number) => Promise<{ name: string; pdf: Uint8Array }>,
) {
  const { seed, from, count, out, keep } = range
  const pool = createPdfPool({ threads: 1, limits: UNHURRIED })
  const painters = createPainters(installed.pdftoppm && installed.standardFonts, installedViewers)
  const lines = out !== undefined && existsSync(out) ? readFileSync(out, 'utf8').split('\n').filter(Boolean) : []
  const done: Done[] = lines.map((line) => JSON.parse(line) as Done)
  const known = new Set(done.map(({ number }) => number))
  try {
    for (let number = from; number < from + count; number++) {
      if (known.has(number)) continue
      const { name, pdf } = await make(randomFrom(1_000_003 * seed + number), number)
      const one: Done = { number, name, ...(await judge(pdf, pool, painters)) }
      done.push(one)
      if (out !== undefined) appendFileSync(out, `${JSON.stringify(one)}\n`)
      if (keep !== undefined && !isRight(one)) writeFileSync(`${keep}/${number}.pdf`, pdf)
    }
  } finally {
    await pool.close()
    await painters.close()
  }
  return tallied(done)
}

/** In milliseconds: a document that is not read in time would be refused, whatever viewers show of it. */
const UNHURRIED = { readTimeoutMs: 1_800_000, drawTimeoutMs: 1_800_000, completeTimeoutMs: 1_800_000 }

interface Done extends Judged {
  number: number
  name: string
}

const isRight = ({ outcome, detail }: Done) =>
  outcome === 'sealed as shown' || (outcome === 'refused' && !/machine is busy|to read/.test(detail))

function tallied(done: readonly Done[]) {
  const counts = { plain: 0, drawn: 0, refused: 0 }
  let [pages, farthest] = [0, 0]
  for (const one of done) {
    if (one.outcome === 'refused') counts.refused++
    else counts[one.isDrawn ? 'drawn' : 'plain']++
    pages += one.pages ?? 0
    if (one.outcome === 'sealed as shown') farthest = Math.max(farthest, Number(one.detail))
  }
  const wrong = done.filter((one) => !isRight(one))
  return {
    counts,
    pages,
    farthest,
    wrong: wrong.map(({ number, name, outcome, detail }) => `${number} ${name}: ${outcome}, ${detail}`),
  }
}
