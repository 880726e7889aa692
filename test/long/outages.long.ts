/** `npm run test:long`: twenty rounds of outages, behind a real nginx. It must be installed. */
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { type JourneyOptions, journey } from '../support/outages/journey.ts'
import type { Outage } from '../support/outages/plan.ts'

const KILLS = ['kill', 'kill twice', 'kill all'] as const satisfies Outage[]
const RESTARTS = ['restart fast', 'restart immediate'] as const satisfies Outage[]

/** `SEED=…` repeats a run. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const ROUNDS = 20

const whole: Pick<JourneyOptions, 'seed' | 'rounds' | 'patches' | 'loops' | 'behindNginx' | 'inHaste'> = {
  seed,
  rounds: ROUNDS,
  patches: ['url', 'active', 'url and active'],
  loops: 6,
  behindNginx: true,
  inHaste: false,
}

async function holds(options: Pick<JourneyOptions, 'outages' | 'store'>): Promise<void> {
  const { broken, figures } = await journey({ ...whole, ...options })
  for (const line of [`SEED=${seed}`, ...figures]) console.log(`      ${line}`)
  expect(broken).to.deep.equal([])
}

describe(`${ROUNDS} rounds of outages behind nginx, under create, sign, retract and update load`, () => {
  it('two instances on PostgreSQL, which restarts, lose nothing and stay up', () =>
    holds({ outages: [...KILLS, ...RESTARTS], store: { kind: 'postgres' } }))

  it('one process on SQLite loses nothing', () =>
    holds({ outages: KILLS, store: { kind: 'sqlite', folder: aFolder() } }))
})
