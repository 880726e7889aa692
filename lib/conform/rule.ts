/** A rule holds when `attempt` resolves; otherwise its error says why it does not. */
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

/** A rule as its group lists it. */
export type RuleOfGroup = readonly [name: string, spec: string, attempt: Rule['attempt']]

/** Returns the rows of a group. */
export const rulesOf = (group: string, rows: readonly RuleOfGroup[]): Rule[] =>
  rows.map(([name, spec, attempt]) => ({ group, name, spec, attempt }))
