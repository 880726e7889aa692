/** Subscriptions, made before the first task, and the callbacks that come. */
import { type Callback, nameOf } from '../callback-receiver.ts'
import { DOCUMENT_TYPES, SUBSCRIPTIONS } from '../host.ts'
import { isSuccess } from '../judge.ts'
import { notTried } from '../verdict.ts'
import { once } from './once.ts'
import type { Json } from './sample.ts'
import type { StageContext } from './stage.ts'

export type Callbacks = ReturnType<typeof createCallbacks>

export function createCallbacks({ host, receiver, clock, wait }: StageContext) {
  const url = (name: string) => `${receiver?.url ?? notTried(NO_RECEIVER)}/${name}`

  async function subscribe(name: string, as: 'first' | 'second' = 'first') {
    const answer = await host.post(SUBSCRIPTIONS, { url: url(name), description: DESCRIPTION }, { as })
    const { id, secret } = Object(answer.body) as Json
    if (!isSuccess(answer.status) || typeof id !== 'number')
      notTried(
        `no subscription could be made (${answer.status}); a host that refuses plain http needs a public https URL`,
      )
    return { id: id as number, secret: String(secret), url: url(name), answer }
  }

  /** Resolves when the host accepts the second key. */
  const otherOrganization = once(async () => {
    if (!host.hasSecondKey) notTried('it takes a second key, of another organization')
    const { status } = await host.get(DOCUMENT_TYPES, { as: 'second' })
    if (!isSuccess(status)) notTried(`the second key is refused (${status})`)
  })

  /**
   * Subscriptions. The active ones should be called for tasks of the first key; the first callback to `refused-once` is
   * answered 500.
   */
  const subscriptions = once(async () => {
    const active = await subscribe('active')
    const inactive = await subscribe('inactive')
    const deactivation = await host.patch(`${SUBSCRIPTIONS}/${inactive.id}`, { body: { active: false } })
    const again = await subscribe('again')
    const deactivated = await host.patch(`${SUBSCRIPTIONS}/${again.id}`, { body: { active: false } })
    const reactivation = await host.patch(`${SUBSCRIPTIONS}/${again.id}`, { body: { active: true } })
    receiver?.refuseOnce('refused-once')
    await subscribe('refused-once')
    const ended = await subscribe('ended')
    const end = await host.delete(`${SUBSCRIPTIONS}/${ended.id}`)
    const others = await otherOrganization()
      .then(() => subscribe('others', 'second'))
      .catch(() => null)
    return {
      active,
      inactive: { ...inactive, deactivation },
      again: { ...again, deactivated, reactivation },
      ended: { ...ended, end },
      others,
    }
  })

  const cameTo = (name: string) => receiver!.received.filter(({ path }) => nameOf(path) === name)

  return {
    subscriptions,
    otherOrganization,
    cameTo,
    /**
     * Waits for the callback that says so of the task; null when none has come in time.
     * @param name of the subscription
     */
    async callback(taskId: number, status: string, name = 'active'): Promise<Callback | null> {
      await subscriptions()
      const fits = ({ body }: Callback) => {
        const event = eventIn(body)
        return event.taskId === taskId && event.status === status
      }
      return wait(async () => cameTo(name).find(fits) ?? null)
    },
    /** Waits for any callback of the active subscription. */
    async anyCallback(): Promise<Callback> {
      await subscriptions()
      return (await wait(async () => cameTo('active')[0] ?? null)) ?? notTried('no callback came in time')
    },
    /** Gives callbacks that should not come the time to come. */
    settled: once(() => clock.sleep(SETTLE_MS)),
  }
}

export const DESCRIPTION = 'Conformance test'
const SETTLE_MS = 250
const NO_RECEIVER = 'the host cannot reach this machine; give the public URL of the receiver'

/** Parsed JSON; an empty object where the body holds none. */
export function eventIn(body: Buffer): Json {
  try {
    return Object(JSON.parse(body.toString('utf8'))) as Json
  } catch {
    return {}
  }
}
