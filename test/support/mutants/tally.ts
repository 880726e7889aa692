/** Judges mutants one after the other, and counts by kind what became of them. */
import { createPdfPool } from '../../../server/pdf/workers/pool.ts'
import { installed } from '../seen/external-checks.ts'
import { createPainters } from '../seen/pictures.ts'
import { formMutants } from './form-mutants.ts'
import { judge, type Outcome } from './judge.ts'
import { basesOfMutants, mutants } from './mutants-of-orders.ts'

export interface Tally {
  /** By kind, and by what became of them. */
  counts: Record<string, Partial<Record<Outcome, number>>>
  /** How many were drawn and sealed as shown. */
  drawn: number
  /** Good documents that were not sealed as shown, and mutants that were sealed as something else, or accepted and not sealed. */
  wrong: string[]
}

/** One mutant in this many is of a form. */
const FORMS = 20

/** @param keep is given each mutant that went wrong. */
export async function tallyMutants(
  seed: number,
  count: number,
  keep: (name: string, pdf: Buffer) => void = () => {},
): Promise<Tally> {
  const counts: Tally['counts'] = {}
  const wrong: string[] = []
  let drawn = 0
  const painters = createPainters(installed.pdftoppm && installed.standardFonts)
  const pool = createPdfPool({ threads: 1 })
  try {
    const bases = await basesOfMutants()
    for (const { name, file } of bases) {
      const { outcome, detail } = await judge(file, pool, painters)
      if (outcome !== 'sealed as shown') wrong.push(`${name}: ${outcome}, ${detail}`)
    }
    const ofForms = await formMutants(Math.ceil(count / FORMS), seed)
    const all = [
      ...ofForms.map(({ kind, pdf }) => ({ name: `form, ${kind}`, kind: 'appearance against value', pdf })),
      ...mutants(bases, seed, count - ofForms.length),
    ]
    for (const { name, kind, pdf } of all) {
      const { outcome, detail, isDrawn } = await judge(pdf, pool, painters)
      if (isDrawn && outcome === 'sealed as shown') drawn++
      counts[kind] ??= {}
      counts[kind][outcome] = (counts[kind][outcome] ?? 0) + 1
      if (outcome !== 'refused' && outcome !== 'sealed as shown') {
        wrong.push(`${name}: ${outcome}, ${detail}`)
        keep(name, Buffer.from(pdf))
      }
    }
    return { counts, drawn, wrong }
  } finally {
    await pool.close()
    await painters.close()
  }
}
