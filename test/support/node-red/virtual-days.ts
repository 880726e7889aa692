/** A Node-RED whose clock a test puts ahead by whole days, also while it does not run. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../built.ts'
import { type NodeRed, type NodeRedOptions, startNodeRed } from './node-red.ts'

const DAY_MS = 86_400_000
const preload = join(root, 'test/support/node-red/clock-ahead.cjs')

export const startWithVirtualDays = (options: NodeRedOptions = {}): Promise<NodeRed> =>
  startNodeRed({ ...options, preload })

/** Kills it and starts it again, on the given virtual day when there is one. */
export async function killedAndStarted(red: NodeRed, day?: number): Promise<NodeRed> {
  const { userDir, port } = red
  await red.kill()
  if (day !== undefined) writeFileSync(join(userDir, 'clock-ahead'), String(day * DAY_MS))
  return startWithVirtualDays({ userDir, port })
}

/** Puts its clock ahead by so many days in all. The flow needs a probe `clock`. */
export async function goesToDay(red: NodeRed, day: number): Promise<void> {
  red.inject('clock', { ahead: day * DAY_MS })
  await red.next('clock', ({ ahead }) => ahead === day * DAY_MS)
}
