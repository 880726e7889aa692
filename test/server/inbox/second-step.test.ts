/** The second step of a sign-in, and those who know the password and no more. */
import { expect } from 'chai'
import {
  CODE_TRIES,
  CODE_TRIES_KEPT_MS,
  LONGEST_CODE_DELAY_MS,
  RECOVERY_CODES,
  SIGN_IN_STEP_MS,
} from '../../../server/choices.ts'
import { OPERATOR } from '../../../server/domain/audit.ts'
import { openStore } from '../../../server/store/store.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { anAccount } from '../../support/service/an-account.ts'
import type { Authenticator } from '../../support/service/an-authenticator.ts'
import { OWN, setUp, stillClock } from '../../support/service/second-factors.ts'

const EMAIL = 'ruth@practice.example'
const PASSWORD = 'correct horse battery staple'
const DOCUMENTS = '/inbox/api/documents'

describe('a sign-in with a second factor', function () {
  this.timeout(60_000)
  const data = aFolder()
  const masterKey = Buffer.alloc(32, 7)
  const clock = stillClock()
  const services: TestService[] = []
  let id: number
  let app: Authenticator
  let recoveryCodes: string[]

  const inStore = async <T>(run: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> => {
    const store = await openStore(data, masterKey)
    return run(store).finally(() => store.close())
  }
  const newVisit = (instance = 0) => aVisit(services[instance]!.baseUrl)
  /** Somebody who has entered the right password. */
  const halfIn = async (visit = newVisit(), change: Record<string, string> = {}) => {
    const { status, body, errors } = await visit.signIn(EMAIL, PASSWORD, change)
    expect(status, errors.join()).to.equal(200)
    expect(body).to.deep.include({ visitor: null, token: null, missing: 'code' })
    return visit
  }
  const isIn = async (visit: Visit) => (await visit.ask('GET', DOCUMENTS)).status === 200

  before(async () => {
    const options = { data, masterKey: masterKey.toString('base64'), sandbox: false, clock }
    for (let n = 0; n < 2; n++) services.push(await aService({ ...options, trustProxy: ['127.0.0.0/8'] }))
    const account = { email: EMAIL, name: 'Ruth Calder', role: 'signer', npi: SIGNER.calder } as const
    id = await inStore(async (store) => anAccount(store, { ...account, password: PASSWORD }))
  })
  after(() => Promise.all(services.map((service) => service.stop())))
  beforeEach(async () => {
    clock.advance(CODE_TRIES_KEPT_MS)
    await inStore(async (store) => {
      await store.secondFactors.remove({ personId: id, at: new Date(), by: OPERATOR })
      await store.people.enable(id, new Date(), OPERATOR)
    })
    const visit = newVisit()
    await visit.signIn(EMAIL, PASSWORD)
    const own = await setUp(visit, PASSWORD, clock)
    app = own.app
    recoveryCodes = own.recoveryCodes
  })

  it('asks for a code after the password, and lets in with the right one', async () => {
    const visit = await halfIn()
    expect(await isIn(visit)).to.equal(false)
    const { status, body } = await visit.enterCode(app.code(clock.now()))
    expect(status).to.equal(200)
    expect(body.visitor?.email).to.equal(EMAIL)
    expect(body.missing).to.equal(null)
    expect(await isIn(visit)).to.equal(true)
  })

  it('takes the code of the step before and after, and of no other', async () => {
    for (const [after, status] of [
      [-2, 400],
      [2, 400],
      [-1, 200],
      [1, 200],
    ] as const) {
      const visit = await halfIn()
      expect((await visit.enterCode(app.code(clock.now(), after))).status, `${after}`).to.equal(status)
      clock.advance(10 * 60_000)
    }
  })

  it('takes each code once, and none of an earlier step after it', async () => {
    const code = app.code(clock.now())
    expect((await (await halfIn()).enterCode(code)).status).to.equal(200)
    for (const used of [code, app.code(clock.now(), -1)])
      for (const instance of [0, 1]) {
        const { status, errors } = await (await halfIn(newVisit(instance))).enterCode(used)
        expect(status).to.equal(400)
        expect(errors).to.deep.equal(['code: not valid, or used before. Wait for the next one, then enter that.'])
      }
    clock.nextCode()
    expect((await (await halfIn()).enterCode(app.code(clock.now()))).status).to.equal(200)
  })

  it('takes a code once, however many send it at once to two instances', async () => {
    const visits = await Promise.all(Array.from({ length: 6 }, (_, n) => halfIn(newVisit(n % 2))))
    const code = app.code(clock.now())
    const answers = await Promise.all(visits.map((visit) => visit.enterCode(code)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400, 400, 400])
  })

  it('takes each recovery code once, also when it is sent at once, and audits it', async () => {
    expect(new Set(recoveryCodes).size).to.equal(RECOVERY_CODES)
    const visits = await Promise.all([halfIn(), halfIn(newVisit(1)), halfIn()])
    const [code = ''] = recoveryCodes
    const answers = await Promise.all(visits.map((visit) => visit.enterCode(code.toUpperCase().replace('-', ' '))))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400])
    const visit = await halfIn()
    for (const [wrong, problem] of [
      [code, 'not one of your recovery codes, or used before. Each can be used once; enter another one.'],
      ['12345', 'not valid, or used before. Wait for the next one, then enter that.'],
    ]) {
      const { status, errors } = await (await halfIn()).enterCode(wrong!)
      expect([status, errors]).to.deep.equal([400, [`code: ${problem}`]])
    }
    expect((await visit.enterCode(recoveryCodes[1]!)).status).to.equal(200)
    expect((await visit.ask<{ recoveryCodes: number }>('GET', OWN)).body.recoveryCodes).to.equal(RECOVERY_CODES - 2)
    const entries = await inStore(async (store) => {
      const rows = []
      for await (const row of store.audit.rows(0)) rows.push(row)
      return rows.filter(({ subject }) => subject === String(id))
    })
    const of = (action: string) => entries.filter((entry) => entry.action === action)
    expect(of('second-factor.recover').map(({ actor, outcome }) => [actor, outcome])).to.deep.equal([
      ['signer', 'done'],
      ['signer', 'done'],
    ])
    expect(of('second-factor.check').at(-1)).to.include({ actor: 'visitor', outcome: 'refused', ip: '127.0.0.1' })
    expect(JSON.stringify(entries)).not.to.include(code)
  })

  it('opens nothing else with the step, and does nothing but its own', async () => {
    const visit = await halfIn()
    for (const path of [DOCUMENTS, '/admin/v1/counts', OWN])
      expect((await visit.ask('GET', path)).status, path).to.equal(401)
    expect((await visit.account()).body.visitor).to.equal(null)
    const [, stepId = ''] = visit.step.split('=')
    expect((await visit.ask('GET', DOCUMENTS, undefined, { cookie: `countersign=${stepId}` })).status).to.equal(401)
    for (const [path, body] of [
      ['/account/api/password', { current: PASSWORD, password: 'another battery of horses' }],
      [OWN, { current: PASSWORD }],
      [`${OWN}/removal`, { code: app.code(clock.now()) }],
      ['/account/api/session/second-factor', undefined],
      ['/account/api/session/second-factor/code', { code: app.code(clock.now()) }],
    ] as const)
      expect((await visit.ask('POST', path, body)).status, path).to.equal(401)
    expect((await visit.enterCode(app.code(clock.now()))).status, 'the step itself is as before').to.equal(200)
  })

  it('knows the step by the browser, once, and from a page of its own', async () => {
    const visit = await halfIn()
    const code = app.code(clock.now())
    expect((await newVisit().enterCode(code)).status, 'another browser').to.equal(401)
    expect((await visit.enterCode(code, { origin: 'https://evil.example' })).status).to.equal(403)
    const { step } = visit
    expect(step).to.match(/^countersign-step=[\w-]{43}$/)
    expect((await visit.enterCode(code)).status).to.equal(200)
    const again = newVisit()
    again.step = step
    clock.nextCode()
    expect((await again.enterCode(app.code(clock.now()))).status, 'a step that is over').to.equal(401)
  })

  it('ends the step after a while, and with the account, its password and its second factor', async () => {
    const late = await halfIn()
    clock.advance(SIGN_IN_STEP_MS)
    expect((await late.enterCode(app.code(clock.now()))).errors).to.deep.equal([
      'This sign-in has ended. Enter your password again.',
    ])
    const at = new Date()
    for (const [end, restore] of [
      [
        () => inStore((store) => store.people.disable(id, at, OPERATOR)),
        () => inStore((store) => store.people.enable(id, at, OPERATOR)),
      ],
      [
        () =>
          inStore(async (store) =>
            store.people.setPassword(id, (await store.people.passwordHashOf(id)) ?? '', at, OPERATOR),
          ),
        async () => {},
      ],
      [() => inStore((store) => store.secondFactors.remove({ personId: id, at, by: OPERATOR })), async () => {}],
    ] as const) {
      const visit = await halfIn()
      await end()
      expect((await visit.enterCode(app.code(clock.now()))).status, 'at once').to.equal(401)
      await restore()
      expect((await visit.enterCode(app.code(clock.now()))).status, 'for good').to.equal(401)
    }
  })

  it('slows down those who guess, for all steps, networks and instances, and not the owner on a known device', async () => {
    const owner = await halfIn()
    expect((await owner.enterCode(app.code(clock.now()))).status).to.equal(200)
    clock.nextCode()
    const guess = async (n: number, code = app.wrong(clock.now())) => {
      const from = { 'x-forwarded-for': `203.0.113.${n}` }
      return (await halfIn(newVisit(n % 2), from)).enterCode(code, from)
    }
    for (let n = 0; n < CODE_TRIES; n++) expect((await guess(n)).status).to.equal(400)
    const waits: number[] = []
    for (let n = 0; n < 14; n++) {
      const refused = await guess(100 + n, app.code(clock.now()))
      expect(refused.status, 'the right code, too').to.equal(429)
      waits.push(Number(refused.headers.get('retry-after')))
      clock.advance(waits.at(-1)! * 1_000)
      expect((await guess(100 + n)).status).to.equal(400)
    }
    expect(waits.slice(0, 4)).to.deep.equal([1, 2, 4, 8])
    expect(Math.max(...waits)).to.equal(LONGEST_CODE_DELAY_MS / 1_000)

    expect((await (await halfIn(owner)).enterCode(app.code(clock.now()))).status, 'the owner').to.equal(200)
    await inStore(async (store) => store.people.unlock((await store.people.find(id))!, new Date(), OPERATOR))
    clock.nextCode()
    expect((await guess(1, app.code(clock.now()))).status, 'unlocked').to.equal(200)
  })

  it('does not know a device before the code was right', async () => {
    const visit = await halfIn()
    expect(visit.device).to.equal('')
    await visit.enterCode(app.code(clock.now()))
    expect(visit.device).to.match(/^countersign-device=/)
  })
})
