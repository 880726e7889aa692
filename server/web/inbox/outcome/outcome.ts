/** Asks the service about the end of a document, and reports it to its signer. */
import type { Outcome } from '../../../operations/signer/messages.ts'
import { ApiError, call } from '../../shared/api.ts'
import { localTime } from '../../shared/format.ts'

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
  const when = `on ${localTime(at)}`
  const why = reason ? `: ${reason}` : '.'
  switch (state) {
    case 'waiting':
      return 'This document waits for your signature.'
    case 'signed':
      if (byYou || by !== null) return `${by ?? 'You'} signed it ${when}.`
      return `It was signed in your name ${when}, and not on this page.`
    case 'rejected':
      if (byYou || by !== null) return `${by ?? 'You'} rejected it ${when}${why}`
      return `It was rejected in your name ${when}${why}`
    case 'withdrawn':
      return `Its sender withdrew it ${when}${why}`
    case 'cancelled':
      return `The operator of this service cancelled it ${when}${why}`
  }
}
