/**
 * A scenario of a sandbox: steps that one presents, or plays before a test. Each step says something and acts, with the same faults,
 * scripts, orders and clock that the other calls of the control plane have.
 */
import * as z from 'zod'
import { optional, rule, upTo } from '../../../../lib/contract/primitives.ts'
import { MAX_REASON } from '../../../../lib/contract/task/status-reason.ts'
import { whole } from '../../../../lib/profile/values.ts'
import { ChosenScript } from '../chosen-scripts.ts'
import { Fault } from '../fault.ts'
import { lessonOf } from '../lessons/lessons.ts'
import { lessonName } from '../messages.ts'
import { patientNames, SampleOrder } from '../orders/orders.ts'
import { reviewedPatients } from '../reviewed-patients.ts'

const MOST_STEPS = 50
const MOST_ACTIONS = 10
const MOST_ORDERS = 20
const DAY_SECONDS = 24 * 60 * 60

const npi = z.string(rule('an NPI of ten digits')).regex(/^\d{10}$/, 'an NPI of ten digits')
const oneOf = (names: readonly string[]) => rule(`one of ${names.join(', ')}`)
const acts = [
  'send',
  'lesson',
  'fault',
  'clearFaults',
  'review',
  'signer',
  'advance',
  'sign',
  'reject',
  'reset',
] as const

/** One thing that a step does. */
export const Action = z.discriminatedUnion(
  'do',
  [
    SampleOrder.extend({
      do: z.literal('send'),
      /** How many orders. Optional; 1 by default. */
      times: optional(whole(1, MOST_ORDERS)),
    }),
    z.strictObject({ do: z.literal('lesson'), name: lessonName, isOn: z.boolean(rule('true or false')) }),
    z.strictObject({ do: z.literal('fault'), fault: Fault }),
    z.strictObject({ do: z.literal('clearFaults') }),
    z.strictObject({ do: z.literal('review'), patients: z.enum(reviewedPatients, oneOf(reviewedPatients)) }),
    z.strictObject({ do: z.literal('signer'), npi, script: ChosenScript }),
    z.strictObject({ do: z.literal('advance'), seconds: whole(1, 100 * DAY_SECONDS) }),
    /** Signs the last task that this scenario has made. */
    z.strictObject({ do: z.literal('sign') }),
    /** Rejects the last task that this scenario has made. */
    z.strictObject({ do: z.literal('reject'), reason: optional(upTo(MAX_REASON)) }),
    z.strictObject({ do: z.literal('reset') }),
  ],
  oneOf(acts),
)
export type Action = z.output<typeof Action>

export const scenarioName = z
  .string(rule('letters, digits and hyphens'))
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'up to 40 small letters, digits and hyphens')

const sentence = (most: number) => z.string(rule('text')).min(1, 'text').max(most, `at most ${most} characters`)

export const Scenario = z.strictObject(
  {
    $schema: optional(z.string(rule('text'))),
    name: scenarioName,
    title: sentence(80),
    /** Says what it shows. */
    about: sentence(400),
    /** The organization for which `countersign serve --scenario` plays it. Elsewhere it is that of the caller. */
    sender: optional(sentence(200)),
    steps: z
      .array(
        z.strictObject({
          /** A sentence for the person who presents, or for a reader. */
          say: sentence(400),
          do: z
            .array(Action, rule('a list of actions'))
            .max(MOST_ACTIONS, `at most ${MOST_ACTIONS} actions`)
            .default([]),
        }),
        rule('a list of steps'),
      )
      .min(1, 'at least one step')
      .max(MOST_STEPS, `at most ${MOST_STEPS} steps`),
  },
  rule('an object with name, title, about and steps'),
)
export type Scenario = z.output<typeof Scenario>
/** A scenario as it is written. */
export type ScenarioInput = z.input<typeof Scenario>

/** How far a scenario is, for one organization. */
export const ScenarioState = z.object({
  name: z.string(),
  title: z.string(),
  about: z.string(),
  steps: z.array(z.object({ say: z.string(), does: z.array(z.string()) })),
  /** How many steps have been done. */
  done: z.int(),
  isRunning: z.boolean(),
  /** The results of the actions of the last step, in sentences. */
  outcome: z.array(z.string()),
})
export type ScenarioState = z.infer<typeof ScenarioState>

/** Says what an action does, for people. */
export function sentenceOf(action: Action): string {
  switch (action.do) {
    case 'send': {
      const times = action.times ?? 1
      const what = times === 1 ? 'an order' : `${times} orders`
      return `Sends ${what} for ${patientNames[action.patient]} to NPI ${action.signer}.`
    }
    case 'lesson':
      return `Switches “${lessonOf(action.name).title}” ${action.isOn ? 'on' : 'off'}.`
    case 'fault':
      return `Plans a fault: ${action.fault.fault}, on ${action.fault.on}s.`
    case 'clearFaults':
      return 'Removes all planned faults.'
    case 'review':
      return { doubtful: 'Reviews doubtful patients.', none: 'Reviews no patient.', all: 'Reviews every patient.' }[
        action.patients
      ]
    case 'signer':
      return `The signer with NPI ${action.npi} ${signerDoes(action.script)}.`
    case 'advance':
      return `Puts the clock forward by ${lengthOf(action.seconds)}.`
    case 'sign':
      return 'Signs the last task.'
    case 'reject':
      return `Rejects the last task${action.reason ? `: “${action.reason}”` : ''}.`
    case 'reset':
      return 'Resets the organization.'
  }
}

function signerDoes({ act, afterSeconds, reason }: ChosenScript): string {
  if (act === 'wait') return 'waits'
  const after = `after ${lengthOf(afterSeconds ?? 10)}`
  return act === 'sign' ? `signs ${after}` : `rejects ${after}${reason ? `: “${reason}”` : ''}`
}

const UNITS = [
  [DAY_SECONDS, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/** Returns a length of time in the largest unit that divides it: `3 days`. */
function lengthOf(seconds: number): string {
  const [unit, name] = UNITS.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 'second']
  const count = seconds / unit
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
