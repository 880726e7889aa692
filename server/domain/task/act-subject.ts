/** The subjects by which the audit log says what was decided about a task: ids only. Pure. */
import type { Route } from './routing.ts'

export interface Presented {
  patientId: number
  routedTo: number
  routedBy: Route['by']
  fields: number
}

/** Returns the subject of a task that was placed in its signer's inbox, such as `patient 16 organization 3 orgNPI fields 4`. */
export const presentedSubject = ({ patientId, routedTo, routedBy, fields }: Presented): string =>
  `patient ${patientId} organization ${routedTo} ${routedBy} fields ${fields}`

/** Returns null for entries of versions that wrote no such subject. */
export function presentedIn(subject: string | null): Presented | null {
  const found = subject?.match(/^patient (\d+) organization (\d+) (orgNPI|address|primary) fields (\d+)$/)
  if (!found) return null
  const [, patientId, routedTo, routedBy, fields] = found
  return {
    patientId: Number(patientId),
    routedTo: Number(routedTo),
    routedBy: routedBy as Route['by'],
    fields: Number(fields),
  }
}

export interface Decided {
  isNew: boolean
  patientId: number
}

/** Returns the subject of a review's decision: `same 39` or `new 40`. */
export const decidedSubject = ({ isNew, patientId }: Decided): string => `${isNew ? 'new' : 'same'} ${patientId}`

/** Returns null for entries of versions that wrote no such subject. */
export function decidedIn(subject: string | null): Decided | null {
  const found = subject?.match(/^(new|same) (\d+)$/)
  return found ? { isNew: found[1] === 'new', patientId: Number(found[2]) } : null
}
