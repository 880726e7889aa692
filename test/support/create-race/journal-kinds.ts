/** The places of a journal that several processes can share, each a real one of its own, new for each call. */
import { join } from 'node:path'
import { aFolder } from '../a-folder.ts'
import { installed } from '../seen/external-checks.ts'
import { aRedis } from '../store/a-redis.ts'
import { aPostgres } from '../store/postgres/a-postgres.ts'

interface Place {
  location: string
  stop(): Promise<void>
}

/** Redis only where it is installed. */
export const journalKinds: Readonly<Record<string, () => Promise<Place>>> = {
  'a SQLite file': async () => ({ location: join(aFolder(), 'creates.sqlite'), stop: async () => {} }),
  PostgreSQL: async () => {
    const { url, stop } = await aPostgres()
    return { location: url, stop }
  },
  ...(installed.redis && {
    Redis: async () => {
      const { url, stop } = await aRedis()
      return { location: url, stop }
    },
  }),
}
