/** Decides what an update changes in a subscription, and what happens to the deliveries that wait for it. Pure. */

/** An omitted member keeps its value. */
export interface SubscriptionChange {
  active?: boolean | undefined
  url?: string | undefined
}

export interface SubscriptionSettings {
  isActive: boolean
  url: string
}

export interface SubscriptionEffect {
  /** The fields that get another value. */
  changed: Partial<SubscriptionSettings>
  /** Whether what waits ends, goes to the new address at once, or waits on. */
  queue: 'cancelled' | 'moved' | 'kept'
}

/** Returns null when nothing would be different afterwards. choice: Updates of subscriptions */
export function effectOf(now: SubscriptionSettings, { active, url }: SubscriptionChange): SubscriptionEffect | null {
  const changed: Partial<SubscriptionSettings> = {}
  if (active !== undefined && active !== now.isActive) changed.isActive = active
  if (url !== undefined && url !== now.url) changed.url = url
  if (Object.keys(changed).length === 0) return null
  // Also when it is activated: what was cancelled is sent by redelivery only.
  if (changed.isActive !== undefined) return { changed, queue: 'cancelled' }
  return { changed, queue: now.isActive ? 'moved' : 'kept' }
}
