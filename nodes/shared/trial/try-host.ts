/** Tries whether a real host can be called as the settings say: address, TLS, health, key and clock. Changes nothing there. */
import { isTls } from '../../../lib/client/answers/no-answer.ts'
import { type ClientOptions, createClient } from '../../../lib/client/client.ts'
import { clientSettings } from '../../../lib/client/client-settings.ts'
import { RateLimitedError, UnreachableError } from '../../../lib/client/errors.ts'
import { createTransport } from '../../../lib/client/transport.ts'
import type { Clock } from '../../../lib/clock.ts'
import { operations } from '../../../lib/contract/operations.ts'
import { checkedUrl } from '../address/base-url.ts'
import { knownFailure } from '../runtime/failures.ts'
import { clientOptions, type Transport } from '../service/connect.ts'
import { checkedKey } from '../service/host.ts'
import type { Settings } from '../service/settings.ts'
import { speechOf } from '../service/speech.ts'
import { adviceAbout, bad, good, type Row } from './row.ts'

/** @param transport throws a NodeError when a chosen configuration is missing */
export async function tryHost(settings: Settings, transport: () => Transport, clock: Clock): Promise<Row[]> {
  const checks = [
    () => checkedUrl(settings),
    () => checkedKey(transport().apiKey),
    () => speechOf(settings),
    () => transport(),
  ]
  const problems = new Set(checks.flatMap(problemOf))
  if (problems.size > 0) return [...problems].map((problem) => bad('settings', problem))
  const options = clientOptions(settings, transport())
  const client = createClient(options)
  const isSecure = settings.baseUrl.toLowerCase().startsWith('https:')
  const tls = isSecure ? [good('tls')] : []
  try {
    await client.checkHealth()
  } catch (failure) {
    if (!(failure instanceof UnreachableError)) return [...tls, bad('health', adviceAbout(failure))]
    if (isTls(failure.code)) return [bad('tls', adviceAbout(failure))]
    return [...(failure.status === undefined ? [] : tls), bad('health', adviceAbout(failure))]
  }
  return [...tls, good('health'), await tryKey(client), ...(await tryClock(options, clock))]
}

function problemOf(check: () => unknown): string[] {
  try {
    check()
    return []
  } catch (failure) {
    return [knownFailure(failure).message]
  }
}

export async function tryKey(client: ReturnType<typeof createClient>): Promise<Row> {
  try {
    await client.listDocumentTypes()
    return good('key')
  } catch (failure) {
    if (!(failure instanceof RateLimitedError)) return bad('key', adviceAbout(failure))
    return bad('key', 'The host takes no more calls for now (429), so the key could not be tried. Try again later.')
  }
}

/** Compares the clocks by the header Date of an answer. A host that does not send it gives no row. */
async function tryClock(options: ClientOptions, clock: Clock): Promise<Row[]> {
  const settings = clientSettings(options)
  const { method, path } = operations.checkHealth
  const asked = { operation: 'checkHealth', method, path: settings.profile.basePath + path, params: {} }
  const send = createTransport(settings)
  const sentAt = clock.now()
  const answer = await send(
    { ...asked, query: undefined, body: undefined },
    { signal: undefined, timeoutMs: undefined, attemptNumber: 1 },
  ).catch(() => null)
  const told = Date.parse(String(answer?.headers.date))
  if (Number.isNaN(told)) return []
  return [clockRow(told, sentAt, clock.now(), settings.profile.webhook.toleranceSeconds)]
}

/** The header has whole seconds, and was written somewhere between `sentAt` and `answeredAt`. */
function clockRow(told: number, sentAt: number, answeredAt: number, toleranceSeconds: number): Row {
  const aheadMs = Math.max(told - answeredAt, 0)
  const behindMs = Math.max(sentAt - (told + 1000), 0)
  const seconds = Math.ceil(Math.max(aheadMs, behindMs) / 1000)
  const said =
    seconds === 0 ? 'No difference.' : `The clock of the host is ${seconds} s ${aheadMs ? 'ahead' : 'behind'}.`
  if (seconds <= toleranceSeconds) return good('clock', said)
  return bad(
    'clock',
    `${said} Callbacks are refused beyond ${toleranceSeconds} s. Let both machines set their clocks by a time server.`,
  )
}
