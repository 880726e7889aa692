/** The rate of a key at two instances on one PostgreSQL: what they let through together, and how often they ask the store. */
import { expect } from 'chai'
import { createSharedRate } from '../../../server/http/callers/shared-rate.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { aPostgres, query, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const PER_MINUTE = 600
/** Two seconds’ worth, a thirtieth. */
const SLICE = 20

describe('The rate of a key at two instances', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  let data: string
  let stores: Store[]
  let clock: FakeClock
  let asked: number
  before(async () => {
    postgres = await aPostgres()
  })
  after(() => postgres?.stop())
  beforeEach(async () => {
    data = await postgres!.database()
    stores = [await openStore(data, Buffer.alloc(32)), await openStore(data, Buffer.alloc(32))]
    clock = new FakeClock()
    asked = 0
  })
  afterEach(() => Promise.all(stores.map((store) => store.close())))

  const instances = (perMinute: number) =>
    stores.map(({ keyRates }) => {
      const counted = {
        take: (...terms: Parameters<NonNullable<typeof keyRates>['take']>) => {
          asked++
          return keyRates!.take(...terms)
        },
      }
      return createSharedRate(counted, perMinute, clock)
    })
  /** How many of `requests` at once, half of them at each instance, are let through. */
  async function letThrough(rates: ReturnType<typeof instances>, requests: number, keyId = 'key'): Promise<number> {
    const waits = await Promise.all(Array.from({ length: requests }, (_, n) => rates[n % 2]!(keyId)))
    return waits.filter((waitMs) => waitMs === 0).length
  }

  it('is that of one instance: a minute’s worth at once, and then each when its time comes', async () => {
    const rates = instances(PER_MINUTE)
    expect(await letThrough(rates, 2 * PER_MINUTE)).to.equal(PER_MINUTE)
    expect(await rates[0]!('key')).to.equal(100)
    clock.advance(6_000)
    expect(await letThrough(rates, PER_MINUTE)).to.equal(60)
    clock.advance(60_000)
    expect(await letThrough(rates, 2 * PER_MINUTE)).to.equal(PER_MINUTE)
  })

  it('asks the store once for a slice, and not at all while none is left', async () => {
    const rates = instances(PER_MINUTE)
    await letThrough(rates, PER_MINUTE)
    expect(asked).to.be.at.most(PER_MINUTE / SLICE + 2)
    await letThrough(rates, 2)
    const before = asked
    expect(await letThrough(rates, 5 * PER_MINUTE)).to.equal(0)
    expect(asked).to.equal(before)
  })

  it('lets a slow key have all that it may: what one instance holds is not lost to it', async () => {
    const rates = instances(PER_MINUTE)
    let refused = 0
    for (let n = 0; n < 600; n++) {
      clock.advance(100)
      if ((await rates[n % 2]!('key')) > 0) refused++
    }
    expect(refused).to.equal(0)
    expect(asked).to.be.at.most(600 / SLICE + 2)
  })

  it('asks for each request where a slice is one', async () => {
    const rates = instances(5)
    expect(await letThrough(rates, 12)).to.equal(5)
    expect(await letThrough(rates, 12, 'another key')).to.equal(5)
  })

  it('goes on after a clock was set back', async () => {
    const rates = instances(PER_MINUTE)
    expect(await letThrough(rates, 2 * PER_MINUTE)).to.equal(PER_MINUTE)
    clock.advance(-3_600_000)
    await rates[0]!('key')
    clock.advance(60_000)
    expect(await letThrough(rates, 2 * PER_MINUTE)).to.be.within(PER_MINUTE - SLICE, PER_MINUTE)
  })

  it('leaves no row behind when a key has been silent for a minute', async () => {
    const rates = instances(PER_MINUTE)
    await letThrough(rates, 2)
    const rows = async () => (await query(data, 'SELECT key_id FROM key_rate')).length
    await stores[0]!.keyRates!.sweep(new Date(clock.now() + 60_000))
    expect(await rows()).to.equal(1)
    await stores[0]!.keyRates!.sweep(new Date(clock.now() + 60_001))
    expect(await rows()).to.equal(0)
  })

  it('is counted in memory where the database has one instance', async () => {
    const store = await openStore(':memory:', Buffer.alloc(32))
    expect(store.keyRates).to.equal(null)
    await store.close()
  })
})
