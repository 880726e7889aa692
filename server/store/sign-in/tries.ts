/**
 * Failed tries to sign in, and what networks without an account ask for, counted for all processes together. Names are kept as digests, because a mistyped address is
 * no one's business. What has ended is dropped as new tries come, so there are never more rows than tries of one window.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Pace, Tries } from '../../domain/tries.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import type { Schema } from '../sql/schema.ts'

/** The tries counted under one name, and the delay that follows from them. */
export interface Bucket {
  /** The parts of the name, for example a kind and a network. */
  name: readonly string[]
  /** The e-mail address whose account it concerns, in lower case: unlocking the account forgets the bucket. */
  email: string | null
  pace: Pace
}

export function signInTries(context: StoreContext) {
  const { db } = context
  return {
    /** Counts a try in each bucket and resolves with 0; counts none, and resolves with the time to wait, when one refuses it. */
    async take(buckets: readonly Bucket[], at: Date): Promise<number> {
      const named = inOrder(buckets)
      // Most of what a flood sends is refused, and must not wait for the writers.
      const waitMs = longestWait(await rowsOf(db, named), at)
      return waitMs > 0 ? waitMs : inTransaction(context, (inside) => countTry(inside, named, at))
    },

    /** After a success: uncounts the try, and forgets earlier ones of the account from there. */
    async settle(buckets: readonly Bucket[]): Promise<void> {
      await inTransaction(context, async ({ db }) => {
        for (const { name, email } of inOrder(buckets))
          if (email !== null) await db.deleteFrom('signInTries').where('name', '=', name).execute()
          else
            await db
              .updateTable('signInTries')
              .set(({ eb }) => ({ count: eb('count', '-', 1), waitUntil: null }))
              .where('name', '=', name)
              .where('count', '>', 0)
              .execute()
      })
    },

    /** Returns those of the e-mail addresses under which someone has to wait. */
    async lockedAmong(emails: readonly string[], at: Date): Promise<Set<string>> {
      const waiting = await db
        .selectFrom('signInTries')
        .select('account')
        .distinct()
        .where('account', 'is not', null)
        .where('waitUntil', '>', at.toISOString())
        .execute()
      const accounts = new Set(waiting.map(({ account }) => account))
      return new Set(emails.filter((email) => accounts.has(accountOf(email))))
    },

    /** Drops what has ended. */
    async sweep(at: Date): Promise<void> {
      await db.deleteFrom('signInTries').where('endsAt', '<=', at.toISOString()).execute()
    },
  }
}

/** Forgets every failed try to sign in to the account, from wherever. */
export async function forgetTries(db: Kysely<Schema>, email: string): Promise<void> {
  await db.deleteFrom('signInTries').where('account', '=', accountOf(email)).execute()
}

/** A bucket with the digest of its name. */
interface Named extends Omit<Bucket, 'name'> {
  name: string
}

/** In the order of their names, so that two processes lock rows one after the other. */
const inOrder = (buckets: readonly Bucket[]): Named[] =>
  buckets
    .map(({ name, email, pace }) => ({ name: digestOf(JSON.stringify(name)), email, pace }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

async function countTry(inside: TransactionContext, buckets: readonly Named[], at: Date): Promise<number> {
  const { db, locksRows } = inside
  const now = at.toISOString()
  await dropSome(inside, now)
  for (const { name, email } of buckets)
    await db
      .insertInto('signInTries')
      .values({ name, account: email === null ? null : accountOf(email), count: 0, firstAt: now, endsAt: now })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  const rows = await rowsOf(db, buckets, locksRows)
  const waitMs = longestWait(rows, at)
  if (waitMs > 0) return waitMs
  for (const { name, pace } of buckets) {
    const { count, firstAt, waitUntil, endsAt } = pace(known(rows.get(name), at), at.getTime())
    const waits = waitUntil === null ? null : timeText(waitUntil)
    await db
      .updateTable('signInTries')
      .set({ count, firstAt: timeText(firstAt), waitUntil: waits, endsAt: timeText(endsAt) })
      .where('name', '=', name)
      .execute()
  }
  return 0
}

type Row = Schema['signInTries']

async function rowsOf(db: Kysely<Schema>, buckets: readonly Named[], lock = false): Promise<Map<string, Row>> {
  const names = buckets.map(({ name }) => name)
  const query = db.selectFrom('signInTries').selectAll().where('name', 'in', names).orderBy('name')
  const rows = await (lock ? query.forUpdate() : query).execute()
  return new Map(rows.map((row) => [row.name, row]))
}

const longestWait = (rows: ReadonlyMap<string, Row>, at: Date): number =>
  Math.max(0, ...[...rows.values()].map(({ waitUntil }) => (waitUntil === null ? 0 : Date.parse(waitUntil) - +at)))

function known(row: Row | undefined, at: Date): Tries | null {
  if (!row || row.count === 0 || Date.parse(row.endsAt) <= at.getTime()) return null
  const { count, firstAt, waitUntil, endsAt } = row
  return {
    count,
    firstAt: Date.parse(firstAt),
    waitUntil: waitUntil === null ? null : Date.parse(waitUntil),
    endsAt: Date.parse(endsAt),
  }
}

/** More rows than a try adds, so that the table shrinks again after a flood. */
const DROPPED_AT_ONCE = 20

async function dropSome({ db, locksRows }: TransactionContext, now: string): Promise<void> {
  await sql`DELETE FROM sign_in_tries WHERE name IN (
    SELECT name FROM sign_in_tries WHERE ends_at <= ${now} LIMIT ${DROPPED_AT_ONCE}
    ${locksRows ? sql`FOR UPDATE SKIP LOCKED` : sql``})`.execute(db)
}

const timeText = (ms: number): string => new Date(ms).toISOString()
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const accountOf = (email: string): string => digestOf(email)
