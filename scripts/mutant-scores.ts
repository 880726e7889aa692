/** Prints how many changes the tests notice, for each file and for all of them, from a report of Stryker. */
import { type Change, isInSample } from './mutant-sample.ts'

interface Mutant extends Omit<Change, 'fileName'> {
  status: string
}

const NOTICED = new Set(['Killed', 'Timeout'])
const MISSED = new Set(['Survived', 'NoCoverage'])

/** Returns a table in Markdown. Changes that Stryker does not try, or that are not in the sample, do not count. */
export function scores(report: string, share: number): string {
  const { files } = JSON.parse(report) as { files: Record<string, { mutants: readonly Mutant[] }> }
  const rows = Object.entries(files).map(([fileName, { mutants }]) => ({
    fileName,
    mutants: mutants.filter((mutant) => isInSample({ ...mutant, ...positionOf(mutant), fileName }, share)),
  }))
  const all = { fileName: 'all', mutants: rows.flatMap(({ mutants }) => mutants) }
  const lines = [...rows, all].map(({ fileName, mutants }) => `| ${fileName} | ${counts(mutants)} |`)
  return ['| file | changes | noticed | survived | score |', '| --- | --- | --- | --- | --- |', ...lines].join('\n')
}

function counts(mutants: readonly Mutant[]): string {
  const noticed = mutants.filter(({ status }) => NOTICED.has(status)).length
  const missed = mutants.filter(({ status }) => MISSED.has(status)).length
  const tried = noticed + missed
  return [tried, noticed, missed, tried === 0 ? '–' : `${((100 * noticed) / tried).toFixed(1)} %`].join(' | ')
}

/** The report counts lines and columns from one, the runner of tests counts them from zero. */
function positionOf({ location: { start } }: Mutant): Pick<Change, 'location'> {
  return { location: { start: { line: start.line - 1, column: start.column - 1 } } }
}
