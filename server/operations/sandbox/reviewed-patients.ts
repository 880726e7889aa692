/** Keeps, for each organization, which tasks wait for a manual review. In memory only: a restart ends it. */
import { matchPatient } from '../../domain/task/matching.ts'
import { matchWithoutReview, reviewAnyPatient } from '../../domain/task/sandbox-matching.ts'

/** Patients who are in doubt, as in production; no patient; or every one. */
export const reviewedPatients = ['doubtful', 'none', 'all'] as const
/** The tasks that wait for a manual review. */
export type ReviewedPatients = (typeof reviewedPatients)[number]

const MATCHES = { doubtful: matchPatient, none: matchWithoutReview, all: reviewAnyPatient } as const

export interface Reviewing {
  set(organizationId: number, patients: ReviewedPatients): void
  of(organizationId: number): ReviewedPatients
  /** Returns how patients of the organization are matched. */
  matchFor(organizationId: number): typeof matchPatient
}

export function createReviewing(): Reviewing {
  const chosen = new Map<number, ReviewedPatients>()
  const of = (organizationId: number) => chosen.get(organizationId) ?? 'doubtful'
  return {
    set: (organizationId, patients) => void chosen.set(organizationId, patients),
    of,
    matchFor: (organizationId) => MATCHES[of(organizationId)],
  }
}
