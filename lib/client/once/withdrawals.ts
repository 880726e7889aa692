/**
 * Keeps which ids their senders have withdrawn. That is kept apart from what create-once knows of a document, so that a withdrawal is on the
 * disk at once, also while a call has claimed the document, and is seen before the next POST.
 */
import type { Clock } from '../../clock.ts'
import type { Journal } from '../../journal/journal.ts'
import { createKey } from './create-once-entry.ts'
import { HeldError } from './held-error.ts'

interface Withdrawal {
  /** When the id was withdrawn last, milliseconds since 1970; omitted when it was not. */
  withdrawnAt?: number
  /** The journal keys of the documents of which this is another id. */
  documents?: readonly string[]
}

/** A document that another scope knows: the journal key that it has there. */
export interface Elsewhere {
  scope: string
  key: string
}

export interface Withdrawals {
  /**
   * Writes down that the ids are withdrawn. Returns the time, and the journal keys of the documents of which they are other ids; those
   * that another scope knows apart, because its task ids may be those of another service.
   */
  add(ids: readonly string[]): Promise<{ withdrawnAt: number; documents: string[]; elsewhere: Elsewhere[] }>
  /** Writes down that the ids are other ids of the document with this journal key. */
  link(ids: readonly string[], document: string): Promise<void>
  /** Whether the id is withdrawn, under any scope. */
  isWithdrawn(id: string): Promise<boolean>
  /** @throws HeldError WITHDRAWN when one of the ids is withdrawn, under any scope */
  check(ids: readonly string[]): Promise<void>
  /** Removes the withdrawals of the ids that are not later than `until`, under every scope. */
  lift(ids: readonly string[], until: number): Promise<void>
}

const withdrawalKey = (scope: string, id: string): string => createKey(`withdrawn\n${scope}`, id)

export interface WithdrawalsOptions {
  journal: Journal
  clock: Clock
  scope: string
  /** Returns the other scopes whose withdrawals count. */
  otherScopes: () => Promise<readonly string[]>
}

export function createWithdrawals({ journal, clock, scope, otherScopes }: WithdrawalsOptions): Withdrawals {
  const keysOf = async (ids: readonly string[]): Promise<string[]> => {
    const scopes = [scope, ...(await otherScopes())]
    return ids.flatMap((id) => scopes.map((one) => withdrawalKey(one, id)))
  }
  const timesOf = async (ids: readonly string[]): Promise<number[]> => {
    const found = await Promise.all((await keysOf(ids)).map((key) => journal.get<Withdrawal>(key)))
    return found.flatMap((one) => (one?.withdrawnAt === undefined ? [] : [one.withdrawnAt]))
  }
  return {
    async add(ids) {
      const times: number[] = []
      const documents: string[] = []
      for (const id of ids) {
        const now = clock.now()
        // Later than the last one although a clock was set back: a person who has seen that one has not decided about this one.
        const at = (was: Withdrawal | undefined) => Math.max(now, (was?.withdrawnAt ?? 0) + 1)
        const was = await journal.change<Withdrawal>(withdrawalKey(scope, id), (known) => ({
          ...known,
          withdrawnAt: at(known),
        }))
        times.push(at(was))
        documents.push(...(was?.documents ?? []))
      }
      const elsewhere: Elsewhere[] = []
      for (const other of await otherScopes())
        for (const id of ids) {
          const known = await journal.get<Withdrawal>(withdrawalKey(other, id))
          elsewhere.push(...(known?.documents ?? []).map((key) => ({ scope: other, key })))
        }
      return { withdrawnAt: Math.max(...times), documents, elsewhere }
    },
    async link(ids, document) {
      for (const id of ids)
        await journal.change<Withdrawal>(withdrawalKey(scope, id), (known) =>
          known?.documents?.includes(document)
            ? undefined
            : { ...known, documents: [...(known?.documents ?? []), document] },
        )
    },
    isWithdrawn: async (id) => (await timesOf([id])).length > 0,
    async check(ids) {
      const times = await timesOf(ids)
      if (times.length > 0) throw new HeldError('WITHDRAWN', [], Math.max(...times))
    },
    async lift(ids, until) {
      for (const key of await keysOf(ids))
        await journal.change<Withdrawal>(key, (known) => {
          if (known?.withdrawnAt === undefined || known.withdrawnAt > until) return undefined
          const { withdrawnAt: _, ...rest } = known
          return rest
        })
    },
  }
}
