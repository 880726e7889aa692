/** A page's side of a visit without a browser: its cookie, its token, its Origin. Each may be changed to show that it matters. */
import type { Account } from '../../../server/http/callers/account.ts'
import type { Enrolled } from '../../../server/http/callers/second-step.ts'
import { overhear } from '../overheard.ts'

export interface Reply<T = unknown> {
  status: number
  headers: Headers
  body: T
  bytes: Buffer
  errors: string[]
}

export type Visit = ReturnType<typeof aVisit>

export function aVisit(baseUrl: string) {
  let cookie = ''
  /** By which the service knows the device again. */
  let device = ''
  /** A sign-in that lacks a second factor. */
  let step = ''
  let token: string | null = null

  async function ask<T>(
    method: string,
    path: string,
    body?: unknown,
    change: Record<string, string> = {},
  ): Promise<Reply<T>> {
    const isBytes = body instanceof Uint8Array
    const headers: Record<string, string> = {
      cookie: [cookie, device, step].filter(Boolean).join('; '),
      ...(method !== 'GET' && { origin: baseUrl }),
      ...(method !== 'GET' && token && { 'x-page-token': token }),
      ...(body !== undefined && { 'content-type': isBytes ? 'application/pdf' : 'application/json' }),
      ...change,
    }
    for (const [name, value] of Object.entries(headers)) if (value === '') delete headers[name]
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      redirect: 'manual',
      body: body === undefined ? null : isBytes ? new Uint8Array(body) : JSON.stringify(body),
    })
    for (const [given = ''] of response.headers.getSetCookie().map((line) => line.split(';')))
      if (given.includes('-device=')) device = given
      else if (given.includes('-step=')) step = given
      else cookie = given
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.status >= 400) overhear(bytes.toString())
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const parsed = isJson ? (JSON.parse(bytes.toString('utf8')) as T & { errors?: string[] }) : undefined
    return {
      status: response.status,
      headers: response.headers,
      body: parsed as T,
      bytes,
      errors: parsed?.errors ?? [],
    }
  }

  const session = '/account/api/session'
  /** Keeps the token of a session that begins. */
  async function begun<T extends Account>(asked: Promise<Reply<T>>): Promise<Reply<T>> {
    const reply = await asked
    if (reply.status === 200) token = reply.body.token
    return reply
  }
  return {
    ask,
    get cookie() {
      return cookie
    },
    set cookie(value: string) {
      cookie = value
    },
    account: () => ask<Account>('GET', session),
    get device() {
      return device
    },
    set device(value: string) {
      device = value
    },
    signIn: (email: string, password: string, change: Record<string, string> = {}) =>
      begun(ask<Account>('POST', session, { email, password }, change)),
    /** Enters a code after the right password. */
    enterCode: (code: string, change: Record<string, string> = {}) =>
      begun(ask<Account>('POST', `${session}/code`, { code }, change)),
    /** Enters the first code of the second factor that the sign-in asks for. */
    enrol: (code: string) => begun(ask<Account & Enrolled>('POST', `${session}/second-factor/code`, { code })),
    get step() {
      return step
    },
    set step(value: string) {
      step = value
    },
    /** In a sandbox: `name` as the list of people has it. */
    async signInAs(name: string) {
      const { demoPeople } = (await ask<Account>('GET', session, undefined, { cookie: '' })).body
      const personId = demoPeople.find((person) => person.name === name)?.id ?? 0
      const reply = await ask<Account>('POST', session, { personId })
      token = reply.body.token
      return reply
    },
    signOut: () => ask('DELETE', session),
  }
}
