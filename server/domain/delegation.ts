/** Letting a colleague sign for a time: what a signer may ask for. Pure. choice: Signing for a colleague */
import { Refusal } from './refusal.ts'

export interface Delegation {
  /** The organization of both; only documents that it received are signed for the signer. */
  organizationId: number
  /** The signer of the documents. */
  signerNpi: string
  /** Who signs them in the meantime, in their own name. */
  delegateNpi: string
  startsAt: Date
  endsAt: Date
}

const DAY_MS = 86_400_000

/** Longer absences are for an operator, who changes who receives the documents. */
export const LONGEST_DELEGATION_DAYS = 92

/** Refuses with all that is wrong with what a signer asks for at `at`. */
export function checkDelegation({ signerNpi, delegateNpi, startsAt, endsAt }: Delegation, at: Date): void {
  const problems = [
    ...(signerNpi === delegateNpi ? ['Choose a colleague, not yourself.'] : []),
    ...(endsAt <= startsAt ? ['The end must be after the beginning.'] : []),
    ...(endsAt <= at ? ['The end must not be in the past.'] : []),
    ...(endsAt.getTime() - startsAt.getTime() > LONGEST_DELEGATION_DAYS * DAY_MS
      ? [`A colleague can sign for you for at most ${LONGEST_DELEGATION_DAYS} days. Choose an earlier end.`]
      : []),
  ]
  if (problems.length > 0) throw new Refusal('invalid', ...problems)
}

/** Whether two of the same people meet in time. */
export const overlap = (
  a: Pick<Delegation, 'startsAt' | 'endsAt'>,
  b: Pick<Delegation, 'startsAt' | 'endsAt'>,
): boolean => a.startsAt < b.endsAt && b.startsAt < a.endsAt
