/** A real Redis of its own, where its Debian package is installed. What it keeps is in memory, and gone when it stops. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../network/free-port.ts'
import { answersAt } from '../network/listening.ts'

export interface TestRedis {
  url: string
  /** For another Redis in its place. */
  port: number
  /** Lets it accept everything and answer nothing, until `goOn`. */
  halt(): void
  goOn(): void
  stop(): Promise<void>
}

export const REDIS_PASSWORD = 'redis-canary'

export async function aRedis(port?: number): Promise<TestRedis> {
  const at = port ?? (await freePort())
  const settings = ['--port', `${at}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', [...settings, '--requirepass', REDIS_PASSWORD], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  await Promise.race([answersAt(at), gone.then(() => Promise.reject(new Error('Redis ended at its start.')))])
  return {
    url: `redis://:${REDIS_PASSWORD}@127.0.0.1:${at}`,
    port: at,
    halt: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
