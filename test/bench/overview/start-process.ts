/** The built service, and what it is compared with, as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../support/network/free-port.ts'

export const MAIN = join(import.meta.dirname, '../../../bin/countersign.cjs')
export const BARE = join(import.meta.dirname, 'bare-express.mjs')

export interface Process {
  pid: number
  stop(): Promise<void>
}

/** Resolves with the first 200. Throws when the process ends before. */
export async function startProcess(args: readonly string[], script: string): Promise<Process> {
  const port = await freePort()
  const child = spawn(process.execPath, [script, ...args, '--port', String(port)], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
  }
  try {
    await answers(`http://127.0.0.1:${port}/ready`, child)
    return { pid: child.pid!, stop }
  } catch (failure) {
    await stop()
    throw failure
  }
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => null)
    await response?.arrayBuffer()
    if (response?.ok) return
    await pause(2)
  }
  throw new Error('The process ended before it answered.')
}
