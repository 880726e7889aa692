/**
 * Lets real time pass. Only for what counts its time by a clock that no test can put forward: the time to live of an entry in
 * a database, the sockets of a process. What can be asked for is waited for with `eventually`.
 */
import { setTimeout as pause } from 'node:timers/promises'

export const realTimePasses = async (ms: number): Promise<void> => {
  await pause(ms)
}
