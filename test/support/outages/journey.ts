/** A service under load to which one outage after another happens; in the end, what it did not keep of what it acknowledged. */
import { brokenPromises } from '../load/broken.ts'
import { type Patch, startLoad } from '../load/load.ts'
import { REASON } from '../load/one-task.ts'
import type { Receiver } from '../load/receiver.ts'
import type { Sender } from '../load/sender.ts'
import { settled } from '../load/settled.ts'
import { unreadable } from '../load/unreadable.ts'
import { randomFrom } from '../random.ts'
import { countersign, leasesEnd } from '../service/served.ts'
import { type Figures, figuresOf } from './figures.ts'
import type { Instances } from './instances.ts'
import { inWords, type Outage, planOf } from './plan.ts'
import { goThrough } from './round.ts'
import { type Stage, type StageOptions, setUp } from './stage.ts'
import { unexpectedEndings } from './unexpected-endings.ts'

export interface JourneyOptions extends StageOptions {
  seed: number
  rounds: number
  outages: readonly Outage[]
  patches: readonly Patch[]
  /** Tasks under way at once. */
  loops: number
  /** True lets the leases of dead processes end by the clock of the sandbox, false by waiting. */
  inHaste: boolean
}

export interface Outcome {
  figures: Figures
  /** A sentence for everything that broke; empty when all held. */
  broken: string[]
}

const PATIENCE_MS = 3_000
const SETTLED_WITHIN_MS = 180_000

export async function journey(options: JourneyOptions): Promise<Outcome> {
  const { seed, rounds, outages, patches, loops } = options
  let where = 'at the start'
  const stage = await setUp(options, () => where)
  const { instances, sender } = stage
  const plan = planOf(randomFrom(seed), rounds, outages, instances.ports.length)
  const { acknowledged, receivers, moved } = stage.subscriptions
  try {
    const began = Date.now()
    const load = { sender, acknowledged, seed, loops, restMs: 0, patienceMs: PATIENCE_MS }
    const endLoad = startLoad({ ...load, moved, patches })
    const stalled: string[] = []
    for (const [number, round] of plan.entries()) {
      where = `round ${number + 1}: ${inWords(round)}`
      await goThrough(round, { ...stage, acknowledged }).catch(({ message }: Error) =>
        stalled.push(`${where}: ${message}`),
      )
    }
    where = 'after the last round'
    await endLoad()
    const loaded = new Map(sender.endings)
    const seconds = (Date.now() - began) / 1000

    const found = await comesToRest(options, instances, sender, receivers)
    const unread = await unreadable(sender, acknowledged)
    const codes = await instances.stop()
    const broken = [
      ...instances.endedByThemselves,
      ...stalled,
      ...unexpectedEndings(loaded, options.behindNginx),
      ...brokenPromises(acknowledged, found),
      ...unread,
      ...codes.filter((code) => code !== 0).map((code) => `an instance that was asked to stop ended with ${code}`),
      ...(await auditFaults(stage)),
      ...proxyFaults(stage),
    ]
    return { broken, figures: figuresOf({ plan, instances, acknowledged, found, loaded, seconds }) }
  } finally {
    await stage.end()
  }
}

async function comesToRest(
  { inHaste }: JourneyOptions,
  instances: Instances,
  sender: Sender,
  receivers: Record<string, Receiver>,
) {
  const up = await instances.up()
  if (inHaste) for (const served of up) await leasesEnd(served, instances.key)
  return settled(sender, receivers, SETTLED_WITHIN_MS)
}

async function auditFaults({ data, environment }: Stage): Promise<string[]> {
  const { code, stderr } = await countersign(['audit', 'verify', '--data', data], environment)
  return code === 0 ? [] : [`the audit log does not verify: ${stderr.trim()}`]
}

/** What a proxy must not do with the requests of senders. */
function proxyFaults({ nginx }: Stage): string[] {
  if (!nginx) return []
  return [
    ...(nginx.log().includes(encodeURIComponent(REASON)) ? ['nginx has logged the query of a request'] : []),
    ...nginx.buffered().map(() => 'nginx has written a body to disk'),
  ]
}
