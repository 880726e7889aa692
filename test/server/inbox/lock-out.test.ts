/** Wrong passwords slow down the visitor who enters them, and keep nobody else out. Visitors come by a trusted proxy, each from their own network. */
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import {
  DEVICE_LIFE_MS,
  LONGEST_SIGN_IN_DELAY_MS,
  SIGN_IN_WINDOW_MS,
  SIGN_INS_FROM_ANYWHERE,
  SIGN_INS_PER_ACCOUNT,
} from '../../../server/choices.ts'
import type { Person } from '../../../server/operations/operator/messages/accounts.ts'
import { openStore } from '../../../server/store/store.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { anAccount, quickHash } from '../../support/service/an-account.ts'
import { countersign } from '../../support/service/served.ts'

const RUTH = 'ruth@practice.example'
const IAN = 'ian@practice.example'
const PASSWORD = 'correct horse battery staple'
const HOME = '192.0.2.1'
const NEIGHBOUR = '198.51.100.7'

describe('wrong passwords', function () {
  this.timeout(60_000)
  const data = aFolder()
  const masterKey = Buffer.alloc(32, 7)
  /** Stands still, however slow the machine is, so that no delay is over before a test says so; timers are real. */
  const start = Date.now()
  let ahead = 0
  const clock = {
    ...systemClock,
    now: () => start + ahead,
    advance: (ms: number) => {
      ahead += ms
    },
  }
  const services: TestService[] = []
  let operator: Visit
  let ruth: number

  before(async () => {
    const options = { data, masterKey: masterKey.toString('base64'), clock, trustProxy: ['127.0.0.0/8'] }
    // One after the other: the first makes the schema.
    for (let n = 0; n < 2; n++) services.push(await aService(options))
    const store = await openStore(data, masterKey)
    const account = { name: 'A Signer', role: 'signer', password: PASSWORD } as const
    ruth = await anAccount(store, { ...account, email: RUTH, npi: SIGNER.calder })
    await anAccount(store, { ...account, email: IAN, npi: SIGNER.marsh })
    await store.close()
    operator = aVisit(services[0]!.baseUrl)
    await operator.signInAs('Service operator')
  })
  after(() => Promise.all(services.map((service) => service.stop())))
  beforeEach(async () => {
    const store = await openStore(data, masterKey)
    for (const email of [RUTH, IAN]) {
      const { id } = (await store.people.findForSignIn(email))!
      // It forgets the wrong ones, too. Nothing here is about the time that a password takes.
      await store.people.setPassword(id, quickHash(PASSWORD), new Date())
    }
    await store.close()
    clock.advance(SIGN_IN_WINDOW_MS)
  })

  const newVisit = (instance = 0) => aVisit(services[instance]!.baseUrl)
  const tried = (visit: Visit, email: string, password: string, from: string) =>
    visit.signIn(email, password, { 'x-forwarded-for': from })
  const status = async (...call: Parameters<typeof tried>) => (await tried(...call)).status
  /** From one network, until it is stopped. */
  const guessed = async (email: string, from = NEIGHBOUR, visit = newVisit()) => {
    for (let n = 0; n < SIGN_INS_PER_ACCOUNT; n++) expect(await status(visit, email, `guess ${n}`, from)).to.equal(401)
    expect(await status(visit, email, `guess`, from)).to.equal(429)
  }
  /** From many networks, until all unknown devices are slowed down. */
  const guessedFromAnywhere = async (email: string) => {
    for (let n = 0; n < SIGN_INS_FROM_ANYWHERE; n++)
      expect(await status(newVisit(n % 2), email, `guess ${n}`, `203.0.113.${n}`)).to.equal(401)
  }
  const isLocked = async () => {
    await operator.signInAs('Service operator')
    return (await operator.ask<Person[]>('GET', '/admin/v1/accounts')).body.find(({ id }) => id === ruth)?.isLocked
  }

  it('stop the network that they come from, and not the owner elsewhere, even on a new device', async () => {
    await guessed(RUTH)
    expect(await status(newVisit(), RUTH, PASSWORD, NEIGHBOUR)).to.equal(429)
    expect(await status(newVisit(), RUTH, PASSWORD, HOME)).to.equal(200)
  })

  it('never stop the owner on a known device, not from the same network and not when they come from everywhere', async () => {
    const owner = newVisit()
    expect(await status(owner, RUTH, PASSWORD, HOME)).to.equal(200)
    await guessed(RUTH, HOME)
    expect(await status(owner, RUTH, PASSWORD, HOME)).to.equal(200)
    clock.advance(SIGN_IN_WINDOW_MS)
    await guessedFromAnywhere(RUTH)
    expect(await status(newVisit(), RUTH, PASSWORD, '203.0.113.200')).to.equal(429)
    expect(await status(owner, RUTH, PASSWORD, HOME)).to.equal(200)
  })

  it('from everywhere slow unknown devices down more and more, and never lock them out', async () => {
    await guessedFromAnywhere(RUTH)
    const waits: number[] = []
    for (let n = 0; n < 9; n++) {
      const refused = await tried(newVisit(), RUTH, PASSWORD, `203.0.113.${100 + n}`)
      expect(refused.status).to.equal(429)
      waits.push(Number(refused.headers.get('retry-after')))
      clock.advance(waits.at(-1)! * 1_000)
      expect(await status(newVisit(), RUTH, 'guess', `203.0.113.${100 + n}`)).to.equal(401)
    }
    expect(waits.slice(0, 4)).to.deep.equal([1, 2, 4, 8])
    expect(Math.max(...waits)).to.equal(LONGEST_SIGN_IN_DELAY_MS / 1_000)
    clock.advance(LONGEST_SIGN_IN_DELAY_MS)
    expect(await status(newVisit(), RUTH, PASSWORD, HOME)).to.equal(200)
  })

  it('count for all instances together', async () => {
    const from = (n: number) => status(newVisit(n % 2), RUTH, `guess ${n}`, NEIGHBOUR)
    const statuses = await Promise.all(Array.from({ length: SIGN_INS_PER_ACCOUNT + 6 }, (_, n) => from(n)))
    expect(statuses.filter((one) => one === 401).length).to.equal(SIGN_INS_PER_ACCOUNT)
    expect(statuses.filter((one) => one === 429).length).to.equal(6)
    expect(await status(newVisit(1), RUTH, PASSWORD, NEIGHBOUR)).to.equal(429)
  })

  it('are limited on a known device too, and stop only that one', async () => {
    const [owner, stolen] = [newVisit(), newVisit()]
    await tried(owner, RUTH, PASSWORD, HOME)
    await tried(stolen, RUTH, PASSWORD, HOME)
    await guessed(RUTH, NEIGHBOUR, stolen)
    expect(await status(owner, RUTH, PASSWORD, HOME)).to.equal(200)
    expect(await status(newVisit(), RUTH, PASSWORD, NEIGHBOUR), 'as a stranger').to.equal(200)
  })

  it('gain nothing from the device of somebody else, from one that was made up, or from one that expired', async () => {
    const [other, madeUp, own] = [newVisit(), newVisit(), newVisit()]
    await tried(other, IAN, PASSWORD, NEIGHBOUR)
    madeUp.device = `countersign-device=${'a'.repeat(43)}`
    await guessed(RUTH)
    expect(await status(other, RUTH, PASSWORD, NEIGHBOUR)).to.equal(429)
    expect(await status(madeUp, RUTH, PASSWORD, NEIGHBOUR)).to.equal(429)
    await tried(own, RUTH, PASSWORD, HOME)
    const { device } = own
    clock.advance(DEVICE_LIFE_MS)
    await guessed(RUTH, HOME)
    own.device = device
    expect(await status(own, RUTH, PASSWORD, HOME)).to.equal(429)
  })

  it('leave a device known to everybody who has signed in there, and give a new id for one that was planted', async () => {
    const shared = newVisit()
    await tried(shared, RUTH, PASSWORD, HOME)
    const { device } = shared
    expect(device).to.match(/^countersign-device=[\w-]{43}$/)
    await tried(shared, IAN, PASSWORD, HOME)
    expect(shared.device).to.equal(device)
    await guessed(RUTH, HOME)
    await guessed(IAN, HOME)
    expect(await status(shared, RUTH, PASSWORD, HOME)).to.equal(200)
    expect(await status(shared, IAN, PASSWORD, HOME)).to.equal(200)
    const planted = newVisit()
    planted.device = `countersign-device=${'b'.repeat(43)}`
    await tried(planted, RUTH, PASSWORD, NEIGHBOUR)
    expect(planted.device).not.to.include('bbb')
  })

  it('are forgotten when an operator unlocks the account or gives a new password, in the console or by command', async () => {
    const locked = async () => {
      await guessed(RUTH)
      expect(await isLocked()).to.equal(true)
    }
    const open = async () => {
      expect(await isLocked()).to.equal(false)
      expect(await status(newVisit(), RUTH, PASSWORD, NEIGHBOUR)).to.equal(200)
      clock.advance(SIGN_IN_WINDOW_MS)
    }
    await locked()
    expect((await operator.ask('POST', `/admin/v1/accounts/${ruth}/unlock`)).status).to.equal(204)
    await open()
    await locked()
    const password = { password: PASSWORD }
    expect((await operator.ask('POST', `/admin/v1/accounts/${ruth}/password`, password)).status).to.equal(204)
    await open()
    const env = { COUNTERSIGN_MASTER_KEY: masterKey.toString('base64') }
    for (const [verb, input] of [
      ['unlock', ''],
      ['set-password', `${PASSWORD}\n`],
    ] as const) {
      await locked()
      const ended = await countersign(['people', verb, '--data', data, '--email', RUTH], env, input)
      expect(ended).to.deep.equal({ code: 0, stdout: '', stderr: '' })
      await open()
    }
  })

  it('leave no address behind, and no row for longer than they count', async () => {
    await guessed('a-typo@practice.example')
    const database = new DatabaseSync(`${data}/countersign.sqlite`)
    const rows = () => database.prepare('SELECT * FROM sign_in_tries').all()
    expect(rows().length).to.be.greaterThan(0)
    expect(JSON.stringify(rows())).not.to.include('practice.example').and.not.to.include(NEIGHBOUR)
    for (let n = 0; n < 20; n++) {
      clock.advance(SIGN_IN_WINDOW_MS)
      await tried(newVisit(), RUTH, 'guess', NEIGHBOUR)
    }
    expect(rows().length).to.equal(3)
    clock.advance(SIGN_IN_WINDOW_MS)
    const store = await openStore(data, masterKey)
    await store.signInTries.sweep(new Date(clock.now()))
    await store.devices.sweep(new Date(clock.now() + DEVICE_LIFE_MS))
    await store.close()
    expect(rows()).to.deep.equal([])
    expect(database.prepare('SELECT * FROM known_device').all()).to.deep.equal([])
    database.close()
  })
})
