/** The scenarios that organizations have added, and how far each organization is with which. In memory only. */
import type { Scenario } from './scenario.ts'

/** How far an organization is with a scenario. */
export interface Progress {
  done: number
  isRunning: boolean
  outcome: readonly string[]
  /** The last task that the scenario has made. */
  taskId: number | null
}

/** The scenarios of the organizations, and how far each is. */
export interface Scenarios {
  added: Map<number, Map<string, Scenario>>
  progress: Map<string, Progress>
}

export const createScenarios = (): Scenarios => ({ added: new Map(), progress: new Map() })

export const NOT_BEGUN: Progress = { done: 0, isRunning: false, outcome: [], taskId: null }

/** Returns an organization to the beginning of its scenarios, except one whose step is under way: that may be what resets it. */
export function rewind({ progress }: Scenarios, organizationId: number): void {
  for (const [key, { isRunning }] of progress)
    if (key.startsWith(`${organizationId} `) && !isRunning) progress.delete(key)
}
