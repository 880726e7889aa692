/**
 * Loaded into a process before its program: how long the longest turn of its loop kept the processor busy. Begins on SIGUSR2, and
 * writes what it found into the file that `TURNS_FILE` names when it hears SIGUSR2 again.
 */
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 2

if (isMainThread) {
  let longestMs = 0
  let measuring: NodeJS.Timeout | undefined
  const begin = () => {
    let last = process.threadCpuUsage()
    measuring = setInterval(() => {
      // Not the time that passed: the machine may be busy with something else.
      const { user, system } = process.threadCpuUsage(last)
      longestMs = Math.max(longestMs, (user + system) / 1000)
      last = process.threadCpuUsage()
    }, EVERY_MS).unref()
  }
  process.on('SIGUSR2', () => {
    if (!measuring) return begin()
    clearInterval(measuring)
    writeFileSync(process.env.TURNS_FILE!, JSON.stringify({ longestMs }))
  })
}
