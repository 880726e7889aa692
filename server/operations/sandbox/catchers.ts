/**
 * Catchers: receivers that the sandbox itself has, at `/sandbox/catch/NAME`. Each verifies what it gets, lists it among the requests,
 * and answers as it was set. In memory only.
 */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { optional, rule } from '../../../lib/contract/primitives.ts'
import { told } from '../../../lib/profile/values.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type CatcherAnswer, CatcherState, catcherAnswer } from './messages.ts'
import { sandboxRow } from './sandbox-context.ts'

export interface Catcher {
  name: string
  organizationId: number
  answer: CatcherAnswer
  /** Secrets of the subscriptions that send to it, as Base64. */
  secrets: readonly string[]
}

export interface Catchers {
  find(name: string): Catcher | undefined
  of(organizationId: number): readonly Catcher[]
  put(catcher: Catcher): void
  remove(name: string): void
}

export function createCatchers(): Catchers {
  const catchers = new Map<string, Catcher>()
  return {
    find: (name) => catchers.get(name),
    of: (organizationId) => [...catchers.values()].filter((one) => one.organizationId === organizationId),
    put: (catcher) => void catchers.set(catcher.name, catcher),
    remove: (name) => void catchers.delete(name),
  }
}

/** Bounds what one key can keep in memory. */
const MOST = 20

const name = z
  .string(rule('letters, digits and hyphens'))
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'up to 40 small letters, digits and hyphens')

const CatcherBody = z.strictObject(
  {
    name: told(name, 'Name', 'The end of its address. Two organizations cannot have the same one.', 'mine'),
    answer: told(
      optional(catcherAnswer),
      'Answer',
      '`ok`: 200. `error`: 500. `gone`: 410. `slow`: 200 after eight seconds. `never`: no answer. Optional; `ok` by default.',
      'ok',
    ),
    secret: told(
      optional(z.base64(rule('Base64')).max(200, 'at most 200 characters')),
      'Secret',
      'The secret of a subscription of yours that sends to it, to verify what comes. A catcher that subscribes knows its own.',
      null,
    ),
    subscribe: told(
      optional(z.boolean(rule('true or false'))),
      'Subscribe',
      'Whether it subscribes to every change of status. Optional; true by default for a new catcher without a secret.',
      true,
    ),
  },
  rule('an object with name'),
)

const about = { path: '/sandbox/v1/catchers', group: 'Catchers', who: ['sender'] } as const

export const listCatchers = sandboxRow({
  ...about,
  method: 'get',
  summary: 'List the catchers of your organization',
  passive: true,
  responses: { 200: z.array(CatcherState) },
  run: async ({ catchers, organizationId, catchUrl }) =>
    catchers.of(organizationId).map((catcher) => stateOf(catcher, catchUrl)),
})

export const putCatcher = sandboxRow({
  ...about,
  method: 'post',
  summary: 'Make a catcher, or set how one answers',
  body: CatcherBody,
  responses: { 201: CatcherState, 409: ErrorBody },
  async run({ catchers, organizationId, catchUrl, subscriptions, isReceiverElsewhere, newSecret, at }, { body }) {
    const url = `${catchUrl}/${body.name}`
    const known = catchers.find(body.name)
    if (known && known.organizationId !== organizationId) throw taken(body.name)
    if (!known && catchers.of(organizationId).length >= MOST)
      throw new Refusal('conflict', `There are ${MOST} catchers already. Remove one first.`)
    const given = body.secret ? [body.secret] : []
    const secret = (body.subscribe ?? (!known && !body.secret)) ? newSecret() : null
    const made = secret ? [Buffer.from(secret).toString('base64')] : []
    const catcher = {
      name: body.name,
      organizationId,
      answer: body.answer ?? known?.answer ?? 'ok',
      secrets: [...(known?.secrets ?? []), ...given, ...made].slice(-MOST),
    }
    // Before the store is asked, so that two organizations never subscribe to one name.
    catchers.put(catcher)
    try {
      // A subscription outlives a restart and its catcher does not: another organization would get the webhooks.
      if (!known && (await isReceiverElsewhere(url))) throw taken(body.name)
      if (secret) {
        for (const { id, url: to, description } of await subscriptions.list())
          if (to === url && description === DESCRIPTION) await subscriptions.remove(id, at)
        await subscriptions.create(url, DESCRIPTION, secret, at)
      }
    } catch (failure) {
      if (known) catchers.put(known)
      else catchers.remove(body.name)
      throw failure
    }
    return stateOf(catcher, catchUrl)
  },
})

export const removeCatcher = sandboxRow({
  ...about,
  path: '/sandbox/v1/catchers/:name',
  method: 'delete',
  summary: 'Remove a catcher, with its subscriptions',
  params: z.object({ name }),
  responses: { 204: null, 404: ErrorBody },
  async run({ catchers, organizationId, catchUrl, subscriptions, at }, { params }) {
    if (catchers.find(params.name)?.organizationId !== organizationId)
      throw new Refusal('notFound', `There is no catcher ${params.name} for this key.`)
    const url = `${catchUrl}/${params.name}`
    for (const subscription of await subscriptions.list())
      if (subscription.url === url) await subscriptions.remove(subscription.id, at)
    catchers.remove(params.name)
  },
})

/** Marks the subscriptions that catchers make, of which each has one. */
const DESCRIPTION = 'A catcher of the sandbox'

const taken = (wanted: string) => new Refusal('conflict', `The name ${wanted} is taken. Choose another one.`)

const stateOf = ({ name, answer, secrets }: Catcher, catchUrl: string): CatcherState => ({
  name,
  url: `${catchUrl}/${name}`,
  answer,
  isSubscribed: secrets.length > 0,
})
