/** How much processor time processes have taken, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Seconds of these processes, of those that they have started, and of those that have ended since. */
export function processorSeconds(pids: readonly number[]): number {
  const all = running()
  const ofTree = (pid: number): number => {
    const own = all.get(pid)
    const children = [...all].filter(([, { parent }]) => parent === pid)
    return (own?.ticks ?? 0) + children.reduce((sum, [child]) => sum + ofTree(child), 0)
  }
  return pids.reduce((sum, pid) => sum + ofTree(pid), 0) / TICKS_PER_SECOND
}

export const parentOf = (pid: number): number => statOf(pid)!.parent

interface Stat {
  parent: number
  /** In user and kernel mode, with children that have ended. */
  ticks: number
}

function running(): Map<number, Stat> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const stats = pids.map((pid): [number, Stat | null] => [Number(pid), statOf(Number(pid))])
  return new Map(stats.filter((entry): entry is [number, Stat] => entry[1] !== null))
}

/** Null when the process has ended. The name of its program, in brackets, may hold anything. */
function statOf(pid: number): Stat | null {
  try {
    const [, parent, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return { parent: Number(parent), ticks: rest.slice(9, 13).reduce((sum, ticks) => sum + Number(ticks), 0) }
  } catch {
    return null
  }
}
