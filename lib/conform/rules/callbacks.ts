/** Rules of callbacks: when they are sent, what they say, and how they are signed. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { EVENT_TYPE } from '../../contract/callback.ts'
import type { HostProfile } from '../../profile/host-profile.ts'
import { webhookHeaders } from '../../profile/names.ts'
import type { Callback } from '../callback-receiver.ts'
import type { Host } from '../host.ts'
import { expectAccepted, expectShape, expectThat, isSuccess } from '../judge.ts'
import { type Rule, type RuleOfGroup, rulesOf } from '../rule.ts'
import { Event } from '../shapes.ts'
import { eventIn } from '../stage/callbacks.ts'
import type { Stage } from '../stage/stage.ts'
import { notTried } from '../verdict.ts'

const HEADERS = 'Events › Delivery request headers'
const BODY = 'Events › Delivery body'
const EMISSION = 'Events › Emission'

const tells = (status: string, taskOf: (stage: Stage) => Promise<{ taskId: number }>): RuleOfGroup => [
  `${status} sends a callback`,
  EMISSION,
  async (_host, stage) => {
    await stage.subscriptions()
    const { taskId } = await taskOf(stage)
    expectThat((await stage.callback(taskId, status)) !== null, `no callback reported ${status} in time`)
  },
]

/** The requirements on every callback. */
const each =
  (judge: (callback: Callback, profile: HostProfile, secret: string) => void): Rule['attempt'] =>
  async (host, stage) =>
    judge(await aCallback(stage), host.profile, (await stage.subscriptions()).active.secret)

async function aCallback(stage: Stage): Promise<Callback> {
  await stage.subscriptions()
  const { taskId } = await stage.pending()
  return (await stage.callback(taskId, 'Pending')) ?? stage.anyCallback()
}

const headerOf = ({ headers }: Callback, profile: HostProfile, which: keyof ReturnType<typeof webhookHeaders>) =>
  String(headers[webhookHeaders(profile)[which].toLowerCase()] ?? '')

/** Looks at the callbacks of a task that is younger than the subscriptions: after one has come, the others would have come, too. */
const getsNothing =
  (name: string, whatFor: string): Rule['attempt'] =>
  async (_host, stage) => {
    await aCallback(stage)
    await stage.settled()
    const { taskId } = await stage.pending()
    expectThat(!stage.cameTo(name).some(({ body }) => eventIn(body).taskId === taskId), `${whatFor} was called`)
  }

/** Returns the first callback and the one that tells the same of the same task; null when there is none. */
function sentTwice([first, ...later]: readonly Callback[]): Callback[] | null {
  if (!first) return null
  const { taskId, status } = eventIn(first.body)
  const second = later
    .map(({ body }) => eventIn(body))
    .findIndex((event) => event.taskId === taskId && event.status === status)
  return second === -1 ? null : [first, later[second]!]
}

export function isSignedWith(callback: Callback, profile: HostProfile, secret: string): boolean {
  const key = Buffer.from(secret, profile.webhook.secretEncoding)
  const hmac = createHmac('sha256', key)
    .update(`${headerOf(callback, profile, 'timestamp')}.`)
    .update(callback.body)
  const claimed = Buffer.from(headerOf(callback, profile, 'signature').replace(/^sha256=/i, ''), 'hex')
  const right = hmac.digest()
  return claimed.length === right.length && timingSafeEqual(claimed, right)
}

/** Milliseconds since 1970; NaN for another form. */
function timeOf(callback: Callback, profile: HostProfile): number {
  const text = headerOf(callback, profile, 'timestamp')
  return /^\d+$/.test(text) ? Number(text) * (profile.webhook.timestampUnit === 's' ? 1000 : 1) : Number.NaN
}

export const callbacks = rulesOf('Callbacks', [
  tells('Pending', (stage) => stage.pending()),
  tells('Retracted', (stage) => stage.retracted()),
  tells('Failed', (stage) => stage.failed()),
  [
    'a callback is a POST of JSON',
    HEADERS,
    each(({ method, headers }) => {
      const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '')
      expectThat(method === 'POST' && isJson, `${method} with another content type`)
    }),
  ],
  ['its body has all fields', BODY, each(({ body }) => void expectShape(Event, eventIn(body)))],
  [
    'its signature is sha256= and lower-case hexadecimal',
    HEADERS,
    each((callback, profile) => {
      const isWritten = /^sha256=[0-9a-f]{64}$/.test(headerOf(callback, profile, 'signature'))
      expectThat(isWritten, `${webhookHeaders(profile).signature}: missing, or in another form`)
    }),
  ],
  [
    'its signature is right',
    'Events › Signature verification',
    each((callback, profile, secret) =>
      expectThat(isSignedWith(callback, profile, secret), 'the signature does not fit'),
    ),
  ],
  [
    'its timestamp is that of the moment',
    HEADERS,
    each((callback, profile) => {
      const isNow = Math.abs(callback.receivedAt - timeOf(callback, profile)) <= profile.webhook.toleranceSeconds * 1000
      expectThat(isNow, `${webhookHeaders(profile).timestamp}: missing, in another unit, or too far from this clock`)
    }),
  ],
  [
    'the event id of its header is that of its body',
    HEADERS,
    each((callback, profile) => {
      const isSame = headerOf(callback, profile, 'eventId') === eventIn(callback.body).eventId
      expectThat(isSame, `${webhookHeaders(profile).eventId}: missing, or another than in the body`)
    }),
  ],
  [
    'the event type of its header is document.status_changed',
    HEADERS,
    each((callback, profile) =>
      expectThat(
        headerOf(callback, profile, 'eventType') === EVENT_TYPE,
        `${webhookHeaders(profile).eventType}: missing, or another type`,
      ),
    ),
  ],
  [
    'it carries no key',
    'Authentication',
    each(({ headers }, { apiKeyHeader }) =>
      expectThat(headers[apiKeyHeader.toLowerCase()] === undefined, 'the header of the key is there'),
    ),
  ],
  [
    'it carries no document',
    BODY,
    each(({ body }) => expectThat(!body.includes('JVBERi0') && !body.includes('%PDF-'), 'there is a PDF in it')),
  ],
  [
    'an inactive subscription gets none',
    'Endpoints › Webhook subscriptions',
    getsNothing('inactive', 'an inactive one'),
  ],
  ['an ended subscription gets none', 'Resources › Webhook subscription', getsNothing('ended', 'an ended one')],
  [
    'a subscription that was activated again gets them',
    'Endpoints › Webhook subscriptions',
    async (_host, stage) => {
      const { deactivated, reactivation } = (await stage.subscriptions()).again
      if (!isSuccess(deactivated.status)) notTried(`it could not be deactivated before (${deactivated.status})`)
      expectAccepted(reactivation)
      const { taskId } = await stage.pending()
      expectThat((await stage.callback(taskId, 'Pending', 'again')) !== null, 'no callback came to it in time')
    },
  ],
  [
    'a callback that was answered 500 comes again with the same event id',
    'Events › Delivery behavior',
    async (host, stage) => {
      await aCallback(stage)
      const sent =
        (await stage.wait(async () => sentTwice(stage.cameTo('refused-once')))) ??
        notTried('it was not sent again in time; a longer timeout may show it')
      const [first, second] = sent.map((callback) => headerOf(callback, host.profile, 'eventId'))
      expectThat(first === second, 'it came with another event id')
    },
  ],
  [
    'a subscription of another organization gets none',
    'Authentication',
    async (host: Host, stage: Stage) => {
      await stage.otherOrganization()
      if ((await stage.subscriptions()).others === null) notTried('the second key could make no subscription')
      await getsNothing('others', 'that of another organization')(host, stage)
    },
  ],
])
