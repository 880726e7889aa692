/**
 * Wakes the other instances on the same PostgreSQL, and is woken by them, by LISTEN and NOTIFY. It only saves time: an instance
 * that is not woken finds the work at its next look.
 */
import type { Client, Pool } from 'pg'
import { grown, SERVICE_BACK_OFF, spread } from '../../../lib/back-off.ts'
import type { Clock } from '../../../lib/clock.ts'

/** New tasks, or new events. */
export type Work = 'task' | 'event'

export interface WakeUps {
  /** Tells the other instances. Many at once become one. */
  tell(what: Work): void
  /** Calls back when another instance has announced work. */
  listen(woken: (what: Work) => void): void
  /** Resolves when what was told is on its way. */
  close(): Promise<void>
}

export interface WakeUpParts extends Surroundings {
  /** The pool for announcements. */
  pool: Pick<Pool, 'query'>
  /** Makes a connection of its own for listening. */
  newClient(): Client
}

export interface Surroundings {
  clock: Clock
  /** Returns a number from 0 to 1. */
  random(): number
  /** Names this instance; never used before. */
  instance: string
}

const CHANNEL = 'countersign'

export function createWakeUps(parts: WakeUpParts): WakeUps {
  const teller = createTeller(parts)
  const ended = new AbortController()
  let listening: Promise<void> | null = null
  return {
    tell: teller.tell,
    listen(woken) {
      listening ??= keepListening(parts, woken, ended.signal)
    },
    async close() {
      await teller.told()
      ended.abort()
      await listening
    },
  }
}

function createTeller({ pool, instance }: Pick<WakeUpParts, 'pool' | 'instance'>) {
  const toTell = new Set<Work>()
  let telling: Promise<void> | null = null

  async function tellAll(): Promise<void> {
    while (toTell.size > 0) {
      const now = [...toTell]
      toTell.clear()
      for (const what of now) await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, `${what} ${instance}`])
    }
  }

  function begin(): void {
    telling ??= tellAll()
      .catch(() => toTell.clear())
      .finally(() => {
        telling = null
        if (toTell.size > 0) begin()
      })
  }

  return {
    tell(what: Work): void {
      toTell.add(what)
      begin()
    },
    /** Resolves when what was told is on its way. */
    told: async () => telling,
  }
}

/** Connects again and again until `ended`. */
async function keepListening(parts: WakeUpParts, woken: (what: Work) => void, ended: AbortSignal): Promise<void> {
  for (let failures = 0; !ended.aborted; ) {
    await listenOnce(parts, woken, ended, () => {
      failures = 0
      // Notifications that arrived while there was no listener.
      woken('task')
      woken('event')
    }).catch(() => {})
    failures++
    await parts.clock.sleep(spread(grown(SERVICE_BACK_OFF, failures), parts.random()), ended).catch(() => {})
  }
}

/** Listens until the connection ends. Rejects when none can be made. */
async function listenOnce(
  { newClient, instance }: WakeUpParts,
  woken: (what: Work) => void,
  ended: AbortSignal,
  onConnected: () => void,
): Promise<void> {
  const client = newClient()
  const over = new Promise<void>((resolve) => client.once('end', () => resolve()))
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => {
    const [what, from] = payload.split(' ')
    if (from !== instance && (what === 'task' || what === 'event')) woken(what)
  })
  const end = () => void client.end().catch(() => {})
  try {
    await client.connect()
    await client.query(`LISTEN ${CHANNEL}`)
    onConnected()
    ended.addEventListener('abort', end, { once: true })
    if (!ended.aborted) await over
  } finally {
    ended.removeEventListener('abort', end)
    end()
  }
}
