/** Instances of the service that are kept up as a supervisor does it: one that ends is started again, and it is told why it ended. */
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../network/free-port.ts'
import { type Served, serve } from '../service/served.ts'

export interface Instances {
  readonly baseUrls: readonly string[]
  readonly ports: readonly number[]
  /** The keys that seeding made at the first start. */
  readonly key: string
  /** A sentence for each end that nobody asked for. */
  readonly endedByThemselves: readonly string[]
  /** Starts that failed, as they may while the store is away. */
  readonly failedStarts: { count: number }
  /** Ends one in the middle of its work; it is started again. */
  kill(instance: number): Promise<void>
  /** Those that run now; waits for all of them, and rejects when that takes too long. */
  up(): Promise<Served[]>
  /** Asks all of them to stop, and gives their exit codes. */
  stop(): Promise<(number | null)[]>
  /** Ends those that are left. */
  end(): Promise<void>
}

const START_AGAIN_MS = 200
const UP_WITHIN_MS = 90_000

/** @param now says in which round we are, for the sentences */
export async function keptUp(
  count: number,
  args: readonly string[],
  environment: Record<string, string>,
  now: () => string,
): Promise<Instances> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const running = ports.map((): Served | null => null)
  const endedByThemselves: string[] = []
  const failedStarts = { count: 0 }
  /** Ends that somebody asked for. */
  const asked = new WeakSet<Served>()
  let isOver = false
  const start = (port: number) => serve([...args, '--port', String(port)], environment)

  async function keepUp(index: number, first: Served): Promise<void> {
    for (let served: Served | null = first; ; ) {
      if (served) {
        running[index] = served
        const code = await served.ended
        running[index] = null
        if (!asked.has(served))
          endedByThemselves.push(`instance ${index + 1} ended by itself (${now()}), code ${code}: ${lastWords(served)}`)
      }
      if (isOver) return
      await pause(START_AGAIN_MS)
      served = await start(ports[index]!).catch(() => null)
      if (!served) failedStarts.count++
      // Started while everything was being ended.
      if (served && isOver) return void (await served.kill())
    }
  }

  // One after the other: the first makes the tables and the demo.
  const first: Served[] = []
  for (const port of ports) first.push(await start(port))
  const kept = Promise.all(first.map((served, index) => keepUp(index, served)))
  const endAll = async <T>(how: (served: Served) => Promise<T>) => {
    isOver = true
    const ended = await Promise.all(
      running.map((served) => {
        if (!served) return null
        asked.add(served)
        return how(served)
      }),
    )
    await kept
    return ended
  }
  return {
    baseUrls: ports.map((port) => `http://127.0.0.1:${port}`),
    ports,
    key: first[0]!.apiKeys[0]!.key,
    endedByThemselves,
    failedStarts,
    async kill(instance) {
      const served = running[instance]
      if (!served) return
      asked.add(served)
      await served.kill()
    },
    async up() {
      for (const until = Date.now() + UP_WITHIN_MS; ; await pause(50)) {
        const up = running.filter((served) => served !== null)
        if (up.length === count) return up
        if (Date.now() > until) throw new Error(`${count - up.length} of ${count} instances did not come up again.`)
      }
    },
    stop: () => endAll((served) => served.stop()),
    end: async () => void (await endAll((served) => served.kill())),
  }
}

/** What the process said of its end: the error that nobody caught, or its last line. */
function lastWords({ log }: Served): string {
  const lines = log().trim().split('\n')
  return lines.find((line) => /^\w*error: /i.test(line.trim())) ?? lines.at(-1) ?? ''
}
