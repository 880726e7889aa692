/** Sealed documents after somebody had them: the same forgeries in every run. Not one of them is the sealed document. */

import { type Random, randomFrom } from '../random.ts'
import { byteMutations } from './mutate-bytes.ts'
import { cmsMutations } from './mutate-cms.ts'
import { structureMutations } from './mutate-structure.ts'
import type { Sample } from './sample.ts'

export type Mutation = (sample: Sample, random: Random) => Buffer | Promise<Buffer>

export interface Mutant {
  kind: string
  sample: Sample
  pdf: Buffer
}

export const mutations: Readonly<Record<string, Mutation>> = {
  ...byteMutations,
  ...cmsMutations,
  ...structureMutations,
}

/** As many as asked for, of all kinds in turn. A change that leaves every byte as it was is no mutant, and is left out. */
export async function* mutantsOfSealed(
  samples: readonly Sample[],
  seed: number,
  count: number,
): AsyncGenerator<Mutant> {
  const random = randomFrom(seed)
  const kinds = Object.entries(mutations)
  for (let made = 0, turn = 0; made < count; turn++) {
    const [kind, mutate] = kinds[turn % kinds.length]!
    const sample = random.pick(samples)
    const pdf = await mutate(sample, random)
    if (pdf.equals(sample.pdf)) continue
    made++
    yield { kind, sample, pdf }
  }
}
