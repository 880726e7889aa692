/** Reads the command of a message to a node that holds messages: to hold it, or to act on held ones. */
import { InputError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'

export type Asked =
  | { action: 'hold' }
  | { action: 'list' }
  | { action: 'resend' | 'discard'; heldId: number }
  | { action: 'edit'; heldId: number; payload: unknown }

/** Throws an InputError, which names everything that is missing. */
export function askedOf({ action, held, heldId, payload }: Message): Asked {
  switch (action) {
    case 'list':
      return { action }
    case 'resend':
    case 'discard':
      return { action, heldId: numberOf(heldId, []) }
    case 'edit':
      return {
        action,
        heldId: numberOf(heldId, payload === undefined ? ['payload: the corrected message'] : []),
        payload,
      }
    default:
      if (Array.isArray(held)) return { action: 'hold' }
      throw new InputError(['held: the list of reasons; or action: one of list, resend, edit, discard'])
  }
}

/** @param others what is missing besides */
function numberOf(heldId: unknown, others: string[]): number {
  const isNumber = Number.isSafeInteger(heldId)
  if (isNumber && others.length === 0) return heldId as number
  throw new InputError([...(isNumber ? [] : ['heldId: the number of a held message, as the list gives it']), ...others])
}
