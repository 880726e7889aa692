/** How signers act on the documents of each organization, as it has chosen; in place of their own scripts. In memory only. */
import * as z from 'zod'
import { optional, rule, upTo } from '../../../lib/contract/primitives.ts'
import { MAX_REASON } from '../../../lib/contract/task/status-reason.ts'
import { told, whole } from '../../../lib/profile/values.ts'

const acts = ['sign', 'reject', 'wait'] as const
const DAY_SECONDS = 24 * 60 * 60

export const ChosenScript = z.strictObject(
  {
    act: told(
      z.enum(acts, rule(`one of ${acts.join(', ')}`)),
      'Act',
      '`wait`: acts only by hand, or when a call of the sandbox acts for the signer.',
      'sign',
    ),
    afterSeconds: told(
      optional(whole(0, 100 * DAY_SECONDS)),
      'After',
      'How long the document is in the inbox before the signer acts, by the clock of the sandbox. Optional; 10 by default.',
      10,
    ),
    reason: told(optional(upTo(MAX_REASON)), 'Reason', 'Why the signer rejects.', 'Not my patient'),
    share: told(
      optional(z.number(rule('a number from 0 to 1')).min(0, 'a number from 0 to 1').max(1, 'a number from 0 to 1')),
      'Share',
      'The share of documents on which the signer acts, from 0 to 1; the others wait. Optional; 1 by default.',
      1,
    ),
  },
  rule('an object with act'),
)
export type ChosenScript = z.output<typeof ChosenScript>

export interface ChosenScripts {
  set(organizationId: number, npi: string, script: ChosenScript): void
  of(organizationId: number, npi: string): ChosenScript | undefined
  clear(organizationId: number): void
  /** Returns the signers for whom any organization has chosen a script. */
  npis(): string[]
}

export function createChosenScripts(): ChosenScripts {
  const chosen = new Map<number, ReadonlyMap<string, ChosenScript>>()
  return {
    set: (organizationId, npi, script) =>
      void chosen.set(organizationId, new Map([...(chosen.get(organizationId) ?? []), [npi, script]])),
    of: (organizationId, npi) => chosen.get(organizationId)?.get(npi),
    clear: (organizationId) => void chosen.delete(organizationId),
    npis: () => [...new Set([...chosen.values()].flatMap((scripts) => [...scripts.keys()]))],
  }
}

/** A prime near the golden ratio of 2³²: neighboring ids are spread over the whole range. */
const SPREAD = 2_654_435_761

/** Whether the document is in the share: the same answer each time, also after a restart. */
export const isInShare = (taskId: number, share: number): boolean => (Math.imul(taskId, SPREAD) >>> 0) / 2 ** 32 < share
