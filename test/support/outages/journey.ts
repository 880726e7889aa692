/** A service under load to which one outage after another happens; in the end, what it did not keep of what it acknowledged. */
import { brokenPromises } from '../load/broken.ts'
import { type Patch, startLoad } from '../load/load.ts'
import { REASON } from '../load/one-task.ts'
import type { Receiver } from '../load/receiver.ts'
import { createSender, type Sender } from '../load/sender.ts'
import { settled } from '../load/settled.ts'
import { subscribed } from '../load/subscribed.ts'
import { unreadable } from '../load/unreadable.ts'
import { type Nginx, nginxBefore } from '../network/nginx.ts'
import { randomFrom } from '../random.ts'
import { countersign, leasesEnd } from '../service/served.ts'
import { aPostgres } from '../store/a-postgres.ts'
import { type Figures, figuresOf } from './figures.ts'
import { type Instances, keptUp } from './instances.ts'
import { inWords, type Outage, planOf } from './plan.ts'
import { goThrough } from './round.ts'
import { unexpectedEndings } from './unexpected-endings.ts'

export interface JourneyOptions {
  seed: number
  rounds: number
  outages: readonly Outage[]
  patches: readonly Patch[]
  /** Two instances on a PostgreSQL of its own, or one on a folder. */
  store: { kind: 'postgres' } | { kind: 'sqlite'; folder: string }
  /** Behind nginx; else the instances are asked in turn. */
  behindNginx: boolean
  /** True lets the leases of dead processes end by the clock of the sandbox, false by waiting. */
  inHaste: boolean
}

export interface Outcome {
  figures: Figures
  /** A sentence for everything that broke; empty when all held. */
  broken: string[]
}

const LOOPS = 6
const PATIENCE_MS = 3_000
const SETTLED_WITHIN_MS = 180_000
/** One event in so many is refused when it first comes, so that there is a queue when the subscription is changed. */
const REFUSED_ONE_IN = 6

export async function journey(options: JourneyOptions): Promise<Outcome> {
  const { seed, rounds, outages, store, behindNginx } = options
  const count = store.kind === 'postgres' ? 2 : 1
  const plan = planOf(randomFrom(seed), rounds, outages, count)
  let where = 'at the start'
  const ends: (() => Promise<unknown>)[] = []
  try {
    const postgres = store.kind === 'postgres' ? await aPostgres() : null
    ends.push(async () => postgres?.stop())
    const data = postgres ? await postgres.database() : (store as { folder: string }).folder
    const environment = postgres ? { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, seed % 256).toString('base64') } : {}
    const args = ['--data', data, '--sandbox', '--seed', 'demo', '--allow-http-webhooks', '--trust-proxy', '127.0.0.1']
    const instances = await keptUp(count, args, environment, () => where)
    ends.push(instances.end)
    const nginx = behindNginx ? await nginxBefore(instances.ports) : null
    ends.push(async () => nginx?.stop())
    const sender = createSender({
      baseUrls: nginx ? [nginx.baseUrl] : instances.baseUrls,
      key: instances.key,
      ...(nginx && { authority: nginx.authority }),
    })
    ends.push(async () => sender.close())

    const began = Date.now()
    const { acknowledged, receivers, moved, stop } = await subscribed(sender, REFUSED_ONE_IN)
    ends.push(stop)
    const endLoad = startLoad({
      sender,
      acknowledged,
      seed,
      loops: LOOPS,
      restMs: 0,
      patienceMs: PATIENCE_MS,
      moved,
      patches: options.patches,
    })
    const stalled: string[] = []
    for (const [number, round] of plan.entries()) {
      where = `round ${number + 1}: ${inWords(round)}`
      await goThrough(round, { instances, postgres, acknowledged }).catch(({ message }: Error) =>
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
      ...unexpectedEndings(loaded, behindNginx),
      ...brokenPromises(acknowledged, found),
      ...unread,
      ...codes.filter((code) => code !== 0).map((code) => `an instance that was asked to stop ended with ${code}`),
      ...(await auditFaults(data, environment)),
      ...(nginx ? loggedReasons(nginx) : []),
    ]
    return { broken, figures: figuresOf({ plan, instances, acknowledged, found, loaded, seconds }) }
  } finally {
    for (const end of ends.reverse()) await end()
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

async function auditFaults(data: string, environment: Record<string, string>): Promise<string[]> {
  const { code, stderr } = await countersign(['audit', 'verify', '--data', data], environment)
  return code === 0 ? [] : [`the audit log does not verify: ${stderr.trim()}`]
}

function loggedReasons(nginx: Nginx): string[] {
  const log = nginx.log()
  const [word] = REASON.split(' ')
  return [
    ...(log.includes(word!) ? ['nginx has logged the query of a request'] : []),
    ...nginx.buffered().map(() => 'nginx has written a body to disk'),
  ]
}
