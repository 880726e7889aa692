/** The page about lists, made of what was measured. Pure. */
import { PAGE, type Read } from '../../support/store/reads.ts'
import { FLOOR_MS, isFlat, type Measured, MOST_RATIO, MOST_STOPPED_MS, percentile, ratioOf } from '../flatness.ts'
import { table } from '../pages/table.ts'

export interface Stop {
  of: string
  /** The longest time for which the event loop stood still. */
  stoppedMs: number
}

export interface Lists {
  database: string
  reads: readonly Measured[]
  /** With pages of the largest size. */
  stopsOfReads: readonly Stop[]
  stopsOfChanges: readonly (Stop & { tookMs: number })[]
}

export interface Sizes {
  small: number
  large: number
  largestPage: number
}

export function pageOf(lists: readonly Lists[], { small, large, largestPage }: Sizes): string {
  return `p95 in ms of each list and each read of the interface, the console and the inbox, and of what workers ask again and again: among
${grouped(small)} tasks, and among ${grouped(large)}, with pages of ${PAGE}. Each is called with every set of up to three of its filters; the line is that
of the set that came off worst. A read is flat when it takes up to ${MOST_RATIO} times as long, or less than ${FLOOR_MS} ms.

${lists.map((one) => `- ${summary(one)}`).join('\n')}

${readTable(lists, small, large)}

## How long the service stands still

For how long one call stopped the event loop, in the larger store, in ms; it is to be ${MOST_STOPPED_MS} at most. Of the reads, with pages of
${largestPage}, the longest; and changes of many rows, with how long each took in all.

${stopTable(lists)}`
}

export const allFlat = ({ reads }: Lists): boolean => reads.every(isFlat)

export const nothingStands = ({ stopsOfReads, stopsOfChanges }: Lists): boolean =>
  [...stopsOfReads, ...stopsOfChanges].every(({ stoppedMs }) => stoppedMs <= MOST_STOPPED_MS)

export const nameOf = ({ of, filters }: Read): string =>
  [of, ...Object.entries(filters).map(([name, value]) => `${name}=${value}`)].join(' ')

function summary({ database, reads }: Lists): string {
  const flat = reads.filter(isFlat)
  const bare = reads.filter((read) => ratioOf(read) <= MOST_RATIO)
  const slowest = reads.reduce((a, b) => (b.large > a.large ? b : a))
  const steep = reads.filter((read) => !isFlat(read)).map(({ read }) => `\`${nameOf(read)}\``)
  return `${database}: ${flat.length} of ${reads.length} reads are flat, ${bare.length} of them by the ratio; median ratio ${percentile(reads.map(ratioOf), 0.5).toFixed(2)}; the slowest is
\`${nameOf(slowest.read)}\` with ${slowest.large.toFixed(1)} ms${steep.length > 0 ? `; not flat: ${steep.join(', ')}` : ''}`
}

function readTable(lists: readonly Lists[], small: number, large: number): string {
  const names = [...new Set(lists[0]!.reads.map(({ read }) => read.of))]
  const head = lists.flatMap(({ database }) => [`${database}: ${grouped(small)}`, grouped(large), 'ratio'])
  const rows = names.map((name) => [
    name,
    lists[0]!.reads.filter(({ read }) => read.of === name).length,
    ...lists.flatMap(({ reads }) => figures(worst(reads.filter(({ read }) => read.of === name)))),
  ])
  return table(['read', 'sets', ...head], rows)
}

/** One that is not flat, or else the one that took longest. */
const worst = (reads: readonly Measured[]): Measured => {
  const weight = (one: Measured) => (isFlat(one) ? 0 : 1e6) + one.large
  return reads.reduce((a, b) => (weight(b) > weight(a) ? b : a))
}

const figures = (one: Measured): string[] => [one.small, one.large, ratioOf(one)].map((figure) => figure.toFixed(2))

function stopTable(lists: readonly Lists[]): string {
  const longest = lists.map(({ stopsOfReads }) => stopsOfReads.reduce((a, b) => (b.stoppedMs > a.stoppedMs ? b : a)))
  const rows = [
    ['a read', ...longest.map(({ stoppedMs, of }) => `${stoppedMs.toFixed(0)}: ${of}`)],
    ...lists[0]!.stopsOfChanges.map(({ of }, n) => [
      of,
      ...lists.map(({ stopsOfChanges }) => {
        const { stoppedMs, tookMs } = stopsOfChanges[n]!
        return `${stoppedMs.toFixed(0)} of ${tookMs.toFixed(0)}`
      }),
    ]),
  ]
  return table(['', ...lists.map(({ database }) => database)], rows)
}

const grouped = (value: number): string => value.toLocaleString('en-US')
