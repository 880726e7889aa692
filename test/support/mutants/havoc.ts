/** Mutants by chance: bytes of the structure changed, taken out, put in, or doubled. */

import type { Random } from '../random.ts'
import type { Base } from './base.ts'

const LETTERS = '0123456789 \n\r<>[]()/%#RfnobjendstreamxT.-+'

/** The runs of the file outside its streams. */
function structureOf(file: string): readonly (readonly [start: number, end: number])[] {
  const runs: [number, number][] = []
  let from = 0
  for (const { index } of file.matchAll(/stream\r?\n[\s\S]*?endstream/g)) {
    runs.push([from, index])
    from = file.indexOf('endstream', index)
  }
  return [...runs, [from, file.length]]
}

export function havoc({ file: original }: Base, random: Random): Buffer {
  let file = original.toString('latin1')
  for (let times = 1 + random.below(4); times > 0; times--) {
    const [start, end] = random.pick(structureOf(file))
    const at = start + random.below(Math.max(1, end - start))
    const length = random.pick([1, 1, 2, 5, 20, 200])
    const slice = file.slice(at, at + length)
    const letter = LETTERS[random.below(LETTERS.length)]!
    const to = random.below(file.length)
    const ways = [
      () => file.slice(0, at) + letter + file.slice(at + 1),
      () => file.slice(0, at) + file.slice(at + length),
      () => file.slice(0, at) + letter + file.slice(at),
      () => file.slice(0, at) + slice + file.slice(at),
      () => file.slice(0, to) + slice + file.slice(to),
      () => file.slice(0, at) + String(random.below(10)) + file.slice(at + 1),
    ]
    file = random.pick(ways)()
  }
  return Buffer.from(file, 'latin1')
}
