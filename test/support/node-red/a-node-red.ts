/**
 * A Node-RED with default settings, for files that need no others. A start costs seconds of processor time, so one is kept for the
 * files that this process runs one after another: each finds it as it was after its start, or gets a new one.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type NodeRed, type NodeRedOptions, startNodeRed } from './node-red.ts'

interface Kept {
  red: NodeRed
  /** The environment that it was started in. */
  env: NodeJS.ProcessEnv
}

/** The one that waits for the next file. */
let free: Kept | undefined

/**
 * Returns one as `startNodeRed` does. When it is stopped, it is cleaned and kept, unless its user directory is to be kept.
 *
 * @param before the user directory and the port of one that was killed, to start again there
 */
export async function aNodeRed(before?: Pick<NodeRedOptions, 'userDir' | 'port'>): Promise<NodeRed> {
  const kept = (before ? undefined : await taken()) ?? { red: await startNodeRed(before), env: { ...process.env } }
  const { red } = kept
  red.unref()
  return {
    ...red,
    async stop({ keep = false } = {}) {
      if (keep || free || !(await isCleaned(red))) return red.stop({ keep })
      free = kept
    },
  }
}

async function taken(): Promise<Kept | undefined> {
  const kept = free
  free = undefined
  if (!kept) return undefined
  if (kept.red.isRunning() && isDeepStrictEqual(kept.env, { ...process.env })) return kept
  await kept.red.stop()
  return undefined
}

/** What Node-RED and this package need in a user directory. The rest is there by what a test did. */
const NEEDED = /^(\.config\..*|lib|node_modules|nodes|package\.json|settings\.js)$/

/** Takes away all that a file has left behind. Returns false when something would stay. */
async function isCleaned(red: NodeRed): Promise<boolean> {
  if (!red.isRunning()) return false
  try {
    await red.deploy([])
    await forgetGlobals(red)
    await red.reset()
    // A node that does not end in time goes on in a process that looks clean.
    if (red.log.join('').includes('Close timed out')) return false
    for (const name of readdirSync(red.userDir))
      if (!NEEDED.test(name)) rmSync(join(red.userDir, name), { recursive: true })
    red.log.length = 0
    return true
  } catch {
    return false
  }
}

async function forgetGlobals({ adminUrl }: NodeRed): Promise<void> {
  const stores = (await (await fetch(adminUrl('context/global'))).json()) as Record<string, object>
  for (const key of Object.values(stores).flatMap(Object.keys))
    await fetch(adminUrl(`context/global/${encodeURIComponent(key)}`), { method: 'DELETE' })
}
