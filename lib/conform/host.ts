/** The host under test: sends to it by its profile, keeps every exchange, and remembers what was made there. */
import type { HostProfile } from '../profile/host-profile.ts'
import type { PlainAnswer, Send } from './exchange.ts'
import { isSuccess } from './judge.ts'
import { notTried } from './verdict.ts'

/** The key that a request carries. */
export type Bearer = 'first' | 'second' | 'wrong' | 'none'

export interface Asking {
  /** Optional; the first key by default. */
  as?: Bearer
  query?: Readonly<Record<string, string | number | boolean>>
  /** Sent as JSON. */
  body?: unknown
}

export interface Exchange {
  method: string
  path: string
  query: Readonly<Record<string, string | number | boolean>>
  as: Bearer
  sent: unknown
  status: number
  received: unknown
}

export interface HostOptions {
  baseUrl: string
  keys: { first: string; second?: string | undefined }
  profile: HostProfile
  send: Send
}

export function createHost({ baseUrl, keys, profile, send }: HostOptions) {
  const exchanges: Exchange[] = []
  const made = { taskIds: new Set<number>(), subscriptionIds: new Map<number, Bearer>() }
  const values = { first: keys.first, second: keys.second, wrong: WRONG_KEY, none: undefined }

  /** @param path below the version, such as `/signature/tasks` */
  async function ask(method: string, path: string, asking: Asking = {}): Promise<PlainAnswer> {
    const { as = 'first', query = {}, body } = asking
    const whole = `${host.profile.basePath}${path === HEALTH ? '' : VERSION}${path}`
    const url = new URL(baseUrl.replace(/\/+$/, '') + whole)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const key = values[as]
    const headers = key === undefined ? {} : { [host.profile.apiKeyHeader]: key }
    const request = { method, url: url.href, headers, ...(body !== undefined && { body }) }
    const answer = await send(request).catch(() => notTried('the host gave no answer'))
    exchanges.push({ method, path: whole, query, as, sent: body, status: answer.status, received: answer.body })
    if (method === 'POST' && isSuccess(answer.status)) remember(path, answer.body, as)
    return answer
  }

  function remember(path: string, body: unknown, as: Bearer): void {
    const { taskId, id } = Object(body) as { taskId?: unknown; id?: unknown }
    if (path === TASKS && typeof taskId === 'number') made.taskIds.add(taskId)
    if (path === SUBSCRIPTIONS && typeof id === 'number') made.subscriptionIds.set(id, as)
  }

  const host = {
    /** May be replaced while it is learnt. */
    profile,
    exchanges,
    /** Objects that requests of the rules have created, including those that should have been refused. */
    made,
    hasSecondKey: keys.second !== undefined,
    get: (path: string, asking?: Asking) => ask('GET', path, asking),
    post: (path: string, body: unknown, asking?: Asking) => ask('POST', path, { ...asking, body }),
    patch: (path: string, asking?: Asking) => ask('PATCH', path, asking),
    delete: (path: string, asking?: Asking) => ask('DELETE', path, asking),
    /** The items of a list, out of the envelope that the profile names; null when there is no array. */
    itemsOf({ body }: PlainAnswer): unknown[] | null {
      const { envelope } = host.profile.list
      const items = envelope === null ? body : (Object(body) as Record<string, unknown>)[envelope]
      return Array.isArray(items) ? items : null
    },
  }
  return host
}
export type Host = ReturnType<typeof createHost>

const WRONG_KEY = 'no-such-key'
const VERSION = '/api/v1'
export const HEALTH = '/health-check'
export const DOCUMENT_TYPES = '/documenttypes'
export const TEMPLATES = '/signature/templates'
export const PROVIDERS = '/users/providers'
export const TASKS = '/signature/tasks'
export const SUBSCRIPTIONS = '/signature/webhooks'
