/** Which calls may fail while instances are killed and the database restarts, and how; every other end is a fault. Pure. */

/** Nobody was there, or the process that answered was killed. */
const GONE = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'socket hang up']
/** The service says that it cannot work now, and when to come again. */
const AWAY = ['503']
/** The proxy says that no instance is there, or that the one that answered is gone. */
const PROXY = ['502', '504']
/**
 * The task was changed already by a call whose answer was lost: a proxy repeats a DELETE at the other instance, as the
 * method allows.
 */
const DONE_BEFORE = 'retract 400 '

/** @param endings how many calls ended in which way, as a `Sender` counts them */
export function unexpectedEndings(endings: ReadonlyMap<string, number>, behindProxy: boolean): string[] {
  const tolerated = [...GONE, ...AWAY, ...(behindProxy ? PROXY : [])]
  const isExpected = (ending: string) => {
    const how = ending.slice(ending.indexOf(' ') + 1)
    return /^20[0-4]$/.test(how) || tolerated.includes(how) || (behindProxy && ending.startsWith(DONE_BEFORE))
  }
  return [...endings].filter(([ending]) => !isExpected(ending)).map(([ending, times]) => `${times} × ${ending}`)
}
