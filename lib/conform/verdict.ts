/** How the attempt of a rule ends when the rule does not hold. */

/** The host does something else than the rule says. The message says what, without any value of a patient. */
export class Deviation extends Error {
  override readonly name = 'Deviation'
}

/** Whether the rule holds could not be found out. The message says why, and what would help. */
export class NotTried extends Error {
  override readonly name = 'NotTried'
}

export function notTried(why: string): never {
  throw new NotTried(why)
}
