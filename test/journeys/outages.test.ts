/**
 * What was acknowledged holds when the world around the service fails: two or three rounds of the journey of which `npm run
 * test:long` takes twenty.
 */
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { type JourneyOptions, journey } from '../support/outages/journey.ts'

const SEED = 7

const sample: Omit<JourneyOptions, 'store'> = {
  seed: SEED,
  rounds: 3,
  outages: ['kill', 'kill twice', 'kill all'],
  patches: ['url'],
  loops: 3,
  behindNginx: false,
  inHaste: true,
}

describe('Under create, sign, retract and update load, nothing acknowledged is lost', function () {
  this.timeout(300_000)

  it('by one process on SQLite that is killed', async () => {
    const { broken, figures } = await journey({ ...sample, store: { kind: 'sqlite', folder: aFolder() } })
    expect(broken, figures.join('\n')).to.deep.equal([])
  })

  it('by two instances on PostgreSQL that are killed', async () => {
    const { broken, figures } = await journey({
      ...sample,
      rounds: 2,
      outages: ['kill', 'kill all'],
      store: { kind: 'postgres' },
    })
    expect(broken, figures.join('\n')).to.deep.equal([])
  })

  it('by two instances on a PostgreSQL that restarts', async () => {
    const outages = ['restart fast', 'restart immediate'] as const
    const { broken, figures } = await journey({ ...sample, rounds: 2, outages, store: { kind: 'postgres' } })
    expect(broken, figures.join('\n')).to.deep.equal([])
  })
})
