/** What a rule is, and how it ends: it holds when `attempt` resolves, and says otherwise by what it throws. */
import type { Host } from './host.ts'
import type { Stage } from './stage/stage.ts'

export interface Rule {
  group: string
  /** One sentence about the host. */
  name: string
  /** The heading of docs/interface.md that states it. */
  spec: string
  /** @throws Deviation when the host does otherwise, NotTried when that could not be found out */
  attempt(host: Host, stage: Stage): Promise<void>
}

/** What a group lists of its rules. */
export type RuleOfGroup = readonly [name: string, spec: string, attempt: Rule['attempt']]

/** Returns the rows of a group. */
export const rulesOf = (group: string, rows: readonly RuleOfGroup[]): Rule[] =>
  rows.map(([name, spec, attempt]) => ({ group, name, spec, attempt }))

/** The host does something else than the rule says. The message says what, without any value of a patient. */
export class Deviation extends Error {
  override readonly name = 'Deviation'
}

/** Whether the rule holds could not be found out. The message says why, and what would help. */
export class NotTried extends Error {
  override readonly name = 'NotTried'
}

export function notTried(why: string): never {
  throw new NotTried(why)
}
