/** Lists the things that an operator has to do, in sentences, each with the place where it is done. Pure. */
import type { FailReason } from './task/fail-reasons.ts'

export type NeedKind = 'review' | 'pausedReceiver' | 'undelivered' | 'failedOrders' | 'slowSigner'

/** Counts, names and times (ISO 8601); of failed orders, how many there are for each reason. */
export type NeedValues = Readonly<Record<string, string | number>>

export interface Need {
  kind: NeedKind
  sentence: string
  /** The values in the sentence, from which a page words it in another language. */
  values: NeedValues
  /** The part of the console that it leads to. */
  route: string
  /** The signer to whom a reminder can be sent; null otherwise. */
  remindNpi: string | null
}

export interface NeedFacts {
  reviews: { count: number; oldest: string | null }
  paused: readonly { subscriptionId: number; name: string; isDown: boolean; waiting: number; oldest: string | null }[]
  undelivered: readonly { subscriptionId: number; name: string; count: number }[]
  failed: readonly { reason: FailReason | 'unreadable'; count: number }[]
  slow: readonly { npi: string; name: string; count: number; oldest: string; mayRemind: boolean }[]
}

export function needsOf({ reviews, paused, undelivered, failed, slow }: NeedFacts, now: Date): Need[] {
  const since = (at: string | null) => (at === null ? '' : `, the oldest for ${age(at, now)}`)
  const need = (
    kind: NeedKind,
    sentence: string,
    values: NeedValues,
    route: string,
    remindNpi: string | null = null,
  ): Need => ({
    kind,
    sentence,
    values,
    route,
    remindNpi,
  })
  const failures = failed.reduce((sum, { count }) => sum + count, 0)
  return [
    ...(reviews.count > 0
      ? [
          need(
            'review',
            `${some(reviews.count, 'order waits', 'orders wait')} for a review${since(reviews.oldest)}.`,
            { count: reviews.count, ...oldestIn(reviews.oldest) },
            'review',
          ),
        ]
      : []),
    ...paused.map(({ subscriptionId, name, isDown, waiting, oldest }) =>
      need(
        'pausedReceiver',
        `${name} is paused because it ${isDown ? 'is not responding' : 'is overloaded'}: ${some(waiting, 'callback waits', 'callbacks wait')}${since(oldest)}.`,
        { name, isDown: isDown ? 'yes' : 'no', count: waiting, ...oldestIn(oldest) },
        `receivers/${subscriptionId}`,
      ),
    ),
    ...undelivered.map(({ subscriptionId, name, count }) =>
      need(
        'undelivered',
        `${name} did not accept ${some(count, 'callback', 'callbacks')} in the last 24 hours.`,
        { name, count },
        `receivers/${subscriptionId}`,
      ),
    ),
    ...(failures > 0
      ? [
          need(
            'failedOrders',
            `${some(failures, 'order', 'orders')} failed in the last 24 hours: ${failed.map(({ reason, count }) => `${words[reason]} ${count}`).join(', ')}.`,
            { count: failures, ...Object.fromEntries(failed.map(({ reason, count }) => [reason, count])) },
            'tasks?status=Failed',
          ),
        ]
      : []),
    ...slow.map(({ npi, name, count, oldest, mayRemind }) =>
      need(
        'slowSigner',
        `${name} has ${some(count, 'order', 'orders')} older than three days${since(oldest)}.`,
        { name, count, oldest },
        `tasks?status=Pending&signer=${npi}&older=3`,
        mayRemind ? npi : null,
      ),
    ),
  ]
}

/** A reason without words does not compile. */
const words: Record<FailReason | 'unreadable', string> = {
  ingestionOff: 'sender may not send',
  unknownSigner: 'unknown signer',
  noOrganization: 'signer without an organization',
  noSignatureField: 'no signature field',
  noDocument: 'document no longer stored',
  givenUp: 'document not readable',
  unreadable: 'returned to the sender',
}

const oldestIn = (oldest: string | null): NeedValues => (oldest === null ? {} : { oldest })

const some = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

function age(at: string, now: Date): string {
  const hours = Math.floor((now.getTime() - Date.parse(at)) / 3_600_000)
  if (hours < 1) return 'less than an hour'
  return hours < 48 ? some(hours, 'hour', 'hours') : some(Math.floor(hours / 24), 'day', 'days')
}
