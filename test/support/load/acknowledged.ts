/** What the service acknowledged to a sender, and what must therefore hold even when the service is killed. */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'

export interface Acknowledged {
  /** Tasks whose create was answered with 201. */
  readonly created: Set<number>
  /** The status that each acknowledged sign or retract led to. */
  readonly outcomes: Map<number, TaskStatus>
  /** Where each subscription may point: to its last acknowledged URL, or to one that was sent later and not acknowledged. */
  readonly urls: Map<number, string[]>
}

export const nothingYet = (): Acknowledged => ({ created: new Set(), outcomes: new Map(), urls: new Map() })
