/** The faults that senders plan, each for its own organization. In memory only: a restart ends them. */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { CallbackFault, Fault, RequestFault } from './fault.ts'

export type PlannedFault = Fault & { id: number }

export interface Faults {
  /** Refuses with `conflict` when the organization has too many already. */
  add(organizationId: number, fault: Fault): PlannedFault
  /** Returns those that can still happen, in the order in which they were added. */
  list(organizationId: number): readonly PlannedFault[]
  /** Returns false when there is none with this id. */
  remove(organizationId: number, id: number): boolean
  clear(organizationId: number): void
  /** Returns the first fault that fits and counts it as having happened. `operation` is the name of a row. */
  ofRequest(organizationId: number, operation: string): RequestFault | null
  /** Returns the fault for a callback that reports the status, as `ofRequest` does for requests. */
  ofCallback(organizationId: number, status: TaskStatus): CallbackFault | null
}

const MOST = 100

/** @param random from 0 to 1 */
export function createFaults(random: () => number): Faults {
  const planned = new Map<number, readonly PlannedFault[]>()
  let lastId = 0
  const plannedFor = (organizationId: number) => planned.get(organizationId) ?? []

  function take<F extends Fault>(organizationId: number, fits: (fault: Fault) => fault is F): F | null {
    const found = plannedFor(organizationId).find((fault) => fits(fault) && random() < (fault.share ?? 1))
    if (!found || !fits(found)) return null
    const rest = plannedFor(organizationId).map((fault) => (fault === found ? oneLess(fault) : fault))
    planned.set(
      organizationId,
      rest.filter(({ times }) => times !== 0),
    )
    return found
  }

  return {
    add(organizationId, fault) {
      if (plannedFor(organizationId).length >= MOST)
        throw new Refusal('conflict', `body: ${MOST} faults are planned already; take some back first`)
      const added = { id: ++lastId, ...fault }
      planned.set(organizationId, [...plannedFor(organizationId), added])
      return added
    },
    list: plannedFor,
    remove(organizationId, id) {
      const rest = plannedFor(organizationId).filter((fault) => fault.id !== id)
      const isFound = rest.length < plannedFor(organizationId).length
      planned.set(organizationId, rest)
      return isFound
    },
    clear: (organizationId) => void planned.delete(organizationId),
    ofRequest: (organizationId, operation) =>
      take(
        organizationId,
        (fault): fault is RequestFault => fault.on === 'request' && (fault.operation ?? operation) === operation,
      ),
    ofCallback: (organizationId, status) =>
      take(
        organizationId,
        (fault): fault is CallbackFault => fault.on === 'callback' && (fault.status ?? status) === status,
      ),
  }
}

const oneLess = (fault: PlannedFault): PlannedFault =>
  typeof fault.times === 'number' ? { ...fault, times: fault.times - 1 } : fault
