/** Plays a flow through all scenarios, and through a kill at each of its wires, on as many stages as there are. */
import type { Wire } from './node-red.ts'
import { play, type Stage, wiresIn } from './play.ts'
import { enabledNodes, type FlowNode, namesIn } from './rehearsed-flow.ts'
import { CALM, KILLED, type RehearsedScenario, scenarios } from './scenarios.ts'
import { type Evidence, type Failure, failuresIn, keptBack } from './verdict.ts'

export interface Played {
  scenario: string
  seconds: number
  failures: Failure[]
  /** Why the scenario was not played; null when it was. */
  skipped: string | null
  /** Things outside of the rehearsal that the flow tried to reach. */
  refused: string[]
}

export interface RehearsalOptions {
  nodes: readonly FlowNode[]
  /** Names of scenarios, or `killed`; all when undefined. */
  only: readonly string[] | undefined
  /** Called with each scenario as it ends. */
  onPlayed: (played: Played) => void
}

export interface Rehearsal {
  /** Why there is nothing to rehearse; null when there was something. */
  nothing: string | null
  played: Played[]
}

interface Job {
  scenario: RehearsedScenario
  wire: Wire | null
}

/** @param open starts the stages; the first scenario begins as soon as the first of them is there */
export async function rehearse(
  open: () => readonly Promise<Stage>[],
  { nodes, only, onPlayed }: RehearsalOptions,
): Promise<Rehearsal> {
  const enabled = enabledNodes(nodes)
  if (!enabled.some(({ type }) => type === 'countersign-service')) return nothing(NO_SERVICE)
  const stages = open()
  const first = (await stages[0]) as Stage
  const isChosen = ({ name }: RehearsedScenario) => only === undefined || only.includes(name)
  const played: Played[] = []
  const note = (one: Played) => {
    played.push(one)
    onPlayed(one)
  }

  const began = performance.now()
  const calm = await play(first, nodes, CALM)
  if (calm.tasks.length === 0) {
    const failures = keptBack(calm)
    if (failures.length === 0) return nothing(NO_ORDER)
    note(judged(calm, failures, began))
    return { nothing: null, played }
  }
  if (isChosen(CALM)) note(judged(calm, failuresIn(calm, null), began))

  const hasWebhooks = enabled.some(
    ({ type, method }) => type === 'countersign-webhook-in' || (type === 'http in' && method === 'post'),
  )
  const chosen = scenarios.filter((scenario) => scenario !== CALM && isChosen(scenario))
  const jobs: Job[] = chosen
    .filter(({ needsWebhooks }) => hasWebhooks || !needsWebhooks)
    .map((scenario) => ({ scenario, wire: null }))
  if (only === undefined || only.includes(KILLED)) jobs.push(...wiresIn(calm).map((wire) => killedAt(wire, nodes)))

  async function playJob(stage: Stage, { scenario, wire }: Job): Promise<void> {
    const start = performance.now()
    const evidence = await play(stage, nodes, scenario, wire)
    const { isLossless = false, isRepetition = false } = scenario
    note(judged(evidence, failuresIn(evidence, { calm, isLossless, isRepetition }), start))
  }

  // The stage on which all was well still has the context that a repetition needs.
  const repetition = jobs.findIndex(({ scenario }) => scenario.isRepetition)
  const [again] = repetition >= 0 ? jobs.splice(repetition, 1) : []
  await Promise.all(
    stages.map(async (opening) => {
      const stage = await opening
      if (stage === first && again) await playJob(stage, again)
      for (let job = jobs.shift(); job; job = jobs.shift()) await playJob(stage, job)
    }),
  )
  for (const { name, needsWebhooks } of chosen)
    if (needsWebhooks && !hasWebhooks)
      note({ scenario: name, seconds: 0, failures: [], skipped: NO_WEBHOOKS, refused: [] })
  return { nothing: null, played }
}

const NO_SERVICE = 'The flows have no countersign-service that is enabled, so there is nothing to rehearse.'
const NO_ORDER =
  'No order of these flows reached the sandbox, so there is nothing to rehearse. Give messages that they understand with --messages.'
const NO_WEBHOOKS = 'The flows have no input for webhooks.'

const nothing = (sentence: string): Rehearsal => ({ nothing: sentence, played: [] })

function judged(evidence: Evidence, failures: Failure[], began: number): Played {
  const seconds = (performance.now() - began) / 1000
  const refused = [...new Set(evidence.witnessed.refused.map(({ what }) => what))]
  return { scenario: evidence.scenario, seconds, failures, skipped: null, refused }
}

function killedAt(wire: Wire, nodes: readonly FlowNode[]): Job {
  const name = namesIn(nodes)
  return { scenario: { ...CALM, name: `${KILLED} between ${name(wire.from)} and ${name(wire.to)}` }, wire }
}
