/**
 * Plays scenarios, a step at a time or to their end. Each action is the run of another row of the control plane, so it does what that
 * call does. How far an organization is lives in memory.
 */
import * as z from 'zod'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { rule } from '../../../../lib/contract/primitives.ts'
import { told } from '../../../../lib/profile/values.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { rejectAsSigner, signAsSigner } from '../act-for-signer.ts'
import { advanceClock } from '../clock.ts'
import { lessonOf } from '../lessons/lessons.ts'
import { switchLesson } from '../lessons/switch-lessons.ts'
import { scriptSigner, sendOrders } from '../orders/send-orders.ts'
import { resetOrganization } from '../reset.ts'
import { type SandboxContext, sandboxRow } from '../sandbox-context.ts'
import { builtIn } from './built-in.ts'
import { NOT_BEGUN } from './progress.ts'
import { type Action, Scenario, ScenarioState, scenarioName, sentenceOf } from './scenario.ts'

/** Bounds what one key can keep in memory. */
const MOST_ADDED = 50

const about = { group: 'Scenarios', who: ['sender'] } as const
const params = z.object({ name: scenarioName })
const played = { 200: ScenarioState, 404: ErrorBody, 409: ErrorBody } as const

export const listScenarios = sandboxRow({
  ...about,
  method: 'get',
  path: '/sandbox/v1/scenarios',
  summary: 'List the scenarios, and how far each is',
  passive: true,
  responses: { 200: z.array(ScenarioState) },
  run: async (context) => all(context).map((scenario) => stateOf(context, scenario)),
})

export const readScenarioSchema = sandboxRow({
  ...about,
  method: 'get',
  path: '/sandbox/v1/scenarios/schema',
  summary: 'Read the JSON Schema of a scenario, for editors',
  responses: { 200: z.looseObject({}) },
  run: async () => ({ ...z.toJSONSchema(Scenario, { io: 'input', unrepresentable: 'any' }) }),
})

export const addScenario = sandboxRow({
  ...about,
  method: 'post',
  path: '/sandbox/v1/scenarios',
  summary: 'Add a scenario, or replace the one of this name; it lasts until a restart',
  body: Scenario,
  responses: { 201: ScenarioState, 409: ErrorBody },
  async run(context, { body }) {
    const { scenarios, organizationId } = context
    const own = scenarios.added.get(organizationId) ?? new Map<string, Scenario>()
    if (own.size >= MOST_ADDED && !own.has(body.name))
      throw new Refusal('conflict', `There are ${MOST_ADDED} scenarios already. Replace one of them.`)
    if (progressOf(context, body.name).isRunning) throw new Refusal('conflict', RUNNING)
    scenarios.added.set(organizationId, own.set(body.name, body))
    scenarios.progress.delete(keyOf(context, body.name))
    return stateOf(context, body)
  },
})

export const nextStep = sandboxRow({
  ...about,
  method: 'post',
  path: '/sandbox/v1/scenarios/:name/next',
  summary: 'Do the next step of a scenario',
  params,
  responses: played,
  async run(context, { params: { name } }) {
    const scenario = find(context, name)
    if (progressOf(context, name).done >= scenario.steps.length) throw new Refusal('conflict', ENDED)
    await playing(context, scenario, 1)
    return stateOf(context, scenario)
  },
})

export const playScenario = sandboxRow({
  ...about,
  method: 'post',
  path: '/sandbox/v1/scenarios/:name/play',
  summary: 'Play a scenario to its end, from its beginning or from where it is',
  params,
  body: z.strictObject(
    {
      fromStart: told(
        z.boolean(rule('true or false')),
        'From the start',
        'Whether its first step is done first, however far it is.',
        true,
      ),
    },
    rule('an object with fromStart'),
  ),
  responses: played,
  async run(context, { params: { name }, body: { fromStart } }) {
    const scenario = find(context, name)
    if (fromStart) begin(context, name)
    await playing(context, scenario, scenario.steps.length)
    return stateOf(context, scenario)
  },
})

export const beginScenario = sandboxRow({
  ...about,
  method: 'post',
  path: '/sandbox/v1/scenarios/:name/begin',
  summary: 'Return to the beginning of a scenario, without doing anything',
  params,
  responses: played,
  async run(context, { params: { name } }) {
    const scenario = find(context, name)
    begin(context, name)
    return stateOf(context, scenario)
  },
})

const RUNNING = 'A step of this scenario is under way. Wait until it has ended.'
const ENDED = 'The scenario is at its end. Begin it again.'

const keyOf = ({ organizationId }: SandboxContext, name: string) => `${organizationId} ${name}`
const progressOf = (context: SandboxContext, name: string) =>
  context.scenarios.progress.get(keyOf(context, name)) ?? NOT_BEGUN

/** An added scenario takes the place of one of the same name that each sandbox has. */
function all({ scenarios, organizationId }: SandboxContext): Scenario[] {
  const own = scenarios.added.get(organizationId) ?? new Map<string, Scenario>()
  return [...builtIn.filter(({ name }) => !own.has(name)), ...own.values()]
}

function find(context: SandboxContext, wanted: string): Scenario {
  const found = all(context).find(({ name }) => name === wanted)
  if (!found) throw new Refusal('notFound', `There is no scenario ${wanted} for this key.`)
  return found
}

function stateOf(context: SandboxContext, { name, title, about, steps }: Scenario): ScenarioState {
  const { done, isRunning, outcome } = progressOf(context, name)
  const shown = steps.map((step) => ({ say: step.say, does: step.do.map(sentenceOf) }))
  return { name, title, about, steps: shown, done, isRunning, outcome: [...outcome] }
}

function begin(context: SandboxContext, name: string): void {
  if (progressOf(context, name).isRunning) throw new Refusal('conflict', RUNNING)
  context.scenarios.progress.delete(keyOf(context, name))
}

/** Does up to `most` further steps. A step whose action is refused counts as not done. */
async function playing(context: SandboxContext, { name, steps }: Scenario, most: number): Promise<void> {
  const { progress } = context.scenarios
  const key = keyOf(context, name)
  let now = progressOf(context, name)
  if (now.isRunning) throw new Refusal('conflict', RUNNING)
  try {
    for (const step of steps.slice(now.done, now.done + most)) {
      const outcome: string[] = []
      progress.set(key, { ...now, isRunning: true, outcome: [] })
      let { taskId } = now
      for (const action of step.do) {
        const came = await act({ ...context, at: new Date(context.time.now()) }, action, taskId)
        outcome.push(came.says)
        taskId = came.taskId
      }
      now = { done: now.done + 1, isRunning: false, outcome, taskId }
    }
  } finally {
    progress.set(key, { ...now, isRunning: false })
  }
}

interface Came {
  says: string
  taskId: number | null
}

async function act(context: SandboxContext, action: Action, taskId: number | null): Promise<Came> {
  const nothing = { params: undefined, query: undefined, body: undefined }
  const says = (sentence: string, of = taskId): Came => ({ says: sentence, taskId: of })
  switch (action.do) {
    case 'send': {
      const { do: _, ...body } = action
      const sent = await sendOrders.run(context, { ...nothing, body })
      // The next action may be about the task, so it is placed by then.
      await context.time.settle()
      const made = sent.flatMap((one) => one.taskId ?? [])
      const answers = sent.map((one) => answerOf(one)).join(' ')
      return says(answers, made.at(-1) ?? null)
    }
    case 'lesson':
      await switchLesson.run(context, { ...nothing, params: { name: action.name }, body: { isOn: action.isOn } })
      return says(`“${lessonOf(action.name).title}” is ${action.isOn ? 'on' : 'off'}.`)
    case 'fault':
      context.faults.add(context.organizationId, action.fault)
      return says('The fault is planned.')
    case 'clearFaults':
      context.faults.clear(context.organizationId)
      return says('No fault is planned.')
    case 'review':
      context.reviewing.set(context.organizationId, action.patients)
      return says(sentenceOf(action))
    case 'signer':
      await scriptSigner.run(context, { ...nothing, params: { npi: action.npi }, body: action.script })
      return says(sentenceOf(action))
    case 'advance': {
      await advanceClock.run(context, { ...nothing, body: { advanceSeconds: action.seconds } })
      return says(`The clock is at ${new Date(context.time.now()).toISOString()}.`)
    }
    case 'sign':
      await signAsSigner.run(context, { ...nothing, params: { id: last(taskId) }, body: undefined })
      return says(`Task ${taskId} is signed.`)
    case 'reject':
      await rejectAsSigner.run(context, { ...nothing, params: { id: last(taskId) }, body: { reason: action.reason } })
      return says(`Task ${taskId} is rejected.`)
    case 'reset':
      await resetOrganization.run(context, nothing)
      return says('Tasks, patients, events, faults, and choices for signers are gone.', null)
  }
}

function last(taskId: number | null): number {
  if (taskId === null) throw new Refusal('conflict', 'The scenario has made no task that could be signed or rejected.')
  return taskId
}

const answerOf = ({ taskId, status, errors }: { taskId: number | null; status: number | null; errors: string[] }) =>
  taskId === null ? `${status ?? 'No answer'}: ${errors.join(' ')}` : `201: task ${taskId}.`
