/** How far back a list is read. Lists are newest first as a rule; one that is not is read to its end. No clock of its own. */

/** `older`: to be left alone, though newer ones may follow. `end`: all that follow are older, too. */
export type Place = 'within' | 'older' | 'end'

/** Returns a function that is called with the time at which each task of a list was created, one after the other. @param since ms since 1970 */
export function createHorizon(since: number): (createdAt: string | null | undefined) => Place {
  let last: number | undefined
  let descends = false
  let ascends = false
  return (createdAt) => {
    if (!createdAt) return 'within'
    const created = Date.parse(createdAt)
    descends ||= last !== undefined && created < last
    ascends ||= last !== undefined && created > last
    last = created
    if (created >= since) return 'within'
    return descends && !ascends ? 'end' : 'older'
  }
}
