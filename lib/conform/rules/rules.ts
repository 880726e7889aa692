/** All rules, in the order in which they are tried. */
import type { Rule } from '../rule.ts'
import { access } from './access.ts'
import { callbacks } from './callbacks.ts'
import { create } from './create.ts'
import { createRefusals } from './create-refusals.ts'
import { isolation } from './isolation.ts'
import { lookUps } from './look-ups.ts'
import { record } from './record.ts'
import { retract } from './retract.ts'
import { states } from './states.ts'
import { subscriptions } from './subscriptions.ts'

export const rules: readonly Rule[] = [
  ...access,
  ...lookUps,
  ...create,
  ...createRefusals,
  ...states,
  ...retract,
  ...record,
  ...subscriptions,
  ...callbacks,
  ...isolation,
]
