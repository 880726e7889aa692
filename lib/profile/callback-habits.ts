/** How a host names the headers of its callbacks and signs them, read from its profile alone. Pure, and without zod. */
import { isObject, type Rule, wrongBy } from '../contract/rule.ts'
import { headerPrefix, signingValues } from './callback-values.ts'
import type { HostProfile, ProfileInput } from './host-profile.ts'
import { PROFILE, ProfileError, UNKNOWN_VALUE } from './profile-error.ts'

export type CallbackHabits = Pick<HostProfile, 'headerPrefix' | 'webhook'>

/**
 * Returns what a profile says of callbacks, completed. `parseProfile` checks the other values; here only their names are checked,
 * because a misspelt name may have been meant for one of these.
 * @throws ProfileError that names everything wrong
 */
export function callbackHabitsOf(given: ProfileInput = {}): CallbackHabits {
  const wrong = wrongBy(PROFILE, given, 'profile')
  const errors = wrong === null ? mistakesIn(given, VALUES) : [wrong]
  if (isObject(given?.webhook)) errors.push(...mistakesIn(given.webhook, signingValues, 'webhook.'))
  if (errors.length > 0) throw new ProfileError(errors)
  const { secretEncoding, timestampUnit, toleranceSeconds } = signingValues
  return {
    headerPrefix: given.headerPrefix ?? headerPrefix.otherwise,
    webhook: {
      secretEncoding: given.webhook?.secretEncoding ?? secretEncoding.otherwise,
      timestampUnit: given.webhook?.timestampUnit ?? timestampUnit.otherwise,
      toleranceSeconds: given.webhook?.toleranceSeconds ?? toleranceSeconds.otherwise,
    },
  }
}

const notLookedAt: Rule<unknown> = { fits: (_): _ is unknown => true, right: '' }

const VALUES: Readonly<Record<keyof HostProfile, Rule<unknown>>> = {
  name: notLookedAt,
  headerPrefix,
  tokenPrefix: notLookedAt,
  apiKeyHeader: notLookedAt,
  basePath: notLookedAt,
  webhook: { fits: isObject, right: 'an object' },
  list: notLookedAt,
  coordinates: notLookedAt,
  limits: notLookedAt,
  refusals: notLookedAt,
  checks: notLookedAt,
}

function mistakesIn(given: object, rules: Readonly<Record<string, Rule<unknown>>>, path = ''): string[] {
  const values = Object.entries(given).filter(([, value]) => value !== undefined)
  return values.flatMap(([name, value]) =>
    Object.hasOwn(rules, name) ? (wrongBy(rules[name]!, value, path + name) ?? []) : `${path}${name}: ${UNKNOWN_VALUE}`,
  )
}
