/** Asks the service about the end of a document, and reports it to its signer. */
import type { Outcome } from '../../../operations/signer/messages.ts'
import { ApiError, call } from '../../shared/api.ts'
import { localTime } from '../../shared/format.ts'
import { t } from '../../words/words.ts'

/** Resolves with null when the document never waited for this signer. Rejects with an `ApiError` when it cannot be known. */
export async function outcomeOf(taskId: number): Promise<Outcome | null> {
  try {
    return await call<Outcome>('GET', `/inbox/api/documents/${taskId}/outcome`)
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) return null
    throw failure
  }
}

/** Says in a sentence what happened to the document. */
export function outcomeSentence({ state, at, byYou, by, reason }: Outcome): string {
  const [time, why] = [localTime(at), reason ? `: ${reason}` : '.']
  switch (state) {
    case 'waiting':
      return t('outcome.waiting')
    case 'signed':
      if (by !== null) return t('outcome.bySigned', { name: by, time })
      return byYou ? t('outcome.youSigned', { time }) : t('outcome.signedElsewhere', { time })
    case 'rejected':
      if (by !== null) return t('outcome.byRejected', { name: by, time, why })
      return byYou ? t('outcome.youRejected', { time, why }) : t('outcome.rejectedElsewhere', { time, why })
    case 'withdrawn':
      return t('outcome.withdrawn', { time, why })
    case 'cancelled':
      return t('outcome.cancelled', { time, why })
  }
}
