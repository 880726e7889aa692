/** What our verification says of many forgeries, counted. */
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { mutantsOfSealed } from './mutants-of-sealed.ts'
import { samples } from './sample.ts'

export interface Judged {
  /** How many of each outcome. */
  outcomes: Record<string, number>
  /** Kinds of which one was called valid. */
  missed: string[]
  kinds: number
}

export async function judgedMutants(seed: number, count: number): Promise<Judged> {
  const sealed = await samples()
  for (const { pdf, seal } of sealed)
    if (!verifySealed(pdf, seal.certificatePem).valid) throw new Error('A sample is not valid as it was sealed')
  const judged: Judged = { outcomes: {}, missed: [], kinds: 0 }
  const kinds = new Set<string>()
  for await (const { kind, sample, pdf } of mutantsOfSealed(sealed, seed, count)) {
    const { outcome } = verifySealed(pdf, sample.seal.certificatePem)
    judged.outcomes[outcome] = (judged.outcomes[outcome] ?? 0) + 1
    if (outcome === 'valid') judged.missed.push(kind)
    kinds.add(kind)
  }
  return { ...judged, kinds: kinds.size }
}
