/** Reads what a receiver says of a message after it has confirmed its receipt. */
import { answerIn } from './deliver.ts'

/** Returns the code of an answer that does not accept a message; null for any other frame. */
export function refusedAnswer(frame: Uint8Array): string | null {
  const answer = answerIn(frame)
  return answer !== null && !answer.isAccepted && /^[AC][ER]$/.test(answer.code) ? answer.code : null
}
