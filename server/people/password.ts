/** Passwords as scrypt hashes, stored with their parameters. Slow on purpose; keeps no password and never quotes one. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import pLimit from 'p-limit'
import { BUSY_RETRY_MS, PASSWORDS } from '../choices.ts'
import { Busy } from '../domain/refusal.ts'

/** 32 MiB and some 80 ms for each hash. */
const COST = { N: 2 ** 15, r: 8, p: 1 }
const MAX_MEMORY = 64 * 1024 * 1024
const SALT_BYTES = 16
const KEY_BYTES = 32

/** The hash as `scrypt$N$r$p$salt$key`, with salt and key in Base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$')
}

/** @param hash null when there is no such account: the answer is false, and takes as long as any other */
export async function matchesPassword(password: string, hash: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', kept = ''] = hash?.split('$') ?? []
  const cost = hash === null ? COST : { N: Number(N), r: Number(r), p: Number(p) }
  const key = await derive(password, Buffer.from(salt, 'base64'), cost)
  const expected = hash === null ? Buffer.alloc(KEY_BYTES) : Buffer.from(kept, 'base64')
  return timingSafeEqual(key, expected) && hash !== null
}

/**
 * Each hash takes a thread of the few that Node.js has for files and host names, too, so that those who sign in at once would keep all
 * else waiting.
 */
const inTurn = pLimit(PASSWORDS.atOnce)

/** Refuses with `unavailable` while as many hashes wait as may. Call it before a try is counted. */
export function refuseWhenCrowded(): void {
  if (inTurn.activeCount + inTurn.pendingCount < PASSWORDS.atOnce + PASSWORDS.waiting) return
  throw new Busy(BUSY_RETRY_MS, `Too many passwords are being checked. Try again in ${BUSY_RETRY_MS / 1000} seconds.`)
}

async function derive(password: string, salt: Uint8Array, cost: ScryptOptions): Promise<Buffer> {
  refuseWhenCrowded()
  return inTurn(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY }, (failure, key) =>
          failure ? reject(failure) : resolve(key),
        )
      }),
  )
}
