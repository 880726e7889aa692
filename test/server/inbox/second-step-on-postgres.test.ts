/** Two instances on one PostgreSQL take each code of a second factor once between them. */
import { expect } from 'chai'
import { openStore } from '../../../server/store/store.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { anAccount } from '../../support/service/an-account.ts'
import { setUp, stillClock } from '../../support/service/second-factors.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const EMAIL = 'ruth@practice.example'
const PASSWORD = 'correct horse battery staple'

describe('two instances on one PostgreSQL', function () {
  this.timeout(120_000)
  const masterKey = Buffer.alloc(32, 7)
  const clock = stillClock()
  let postgres: TestPostgres
  const services: TestService[] = []

  before(async () => {
    postgres = await aPostgres()
    const options = { data: postgres.url, masterKey: masterKey.toString('base64'), sandbox: false, clock }
    for (let n = 0; n < 2; n++) services.push(await aService(options))
    const store = await openStore(postgres.url, masterKey)
    const account = { email: EMAIL, name: 'Ruth Calder', role: 'signer', npi: SIGNER.calder } as const
    await anAccount(store, { ...account, password: PASSWORD })
    await store.close()
  })
  after(async () => {
    await Promise.all(services.map((service) => service.stop()))
    await postgres.stop()
  })

  it('take a code once, sent to both at once or to one after the other, and a recovery code too', async () => {
    const halfIn = async (n: number) => {
      const visit = aVisit(services[n % 2]!.baseUrl)
      expect((await visit.signIn(EMAIL, PASSWORD)).body.missing).to.equal('code')
      return visit
    }
    const owner = aVisit(services[0]!.baseUrl)
    await owner.signIn(EMAIL, PASSWORD)
    const { app, recoveryCodes } = await setUp(owner, PASSWORD, clock)
    for (const code of [app.code(clock.now()), recoveryCodes[0]!]) {
      const visits = await Promise.all([0, 1, 2, 3].map(halfIn))
      const answers = await Promise.all(visits.map((visit) => visit.enterCode(code)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400])
      for (const n of [0, 1]) expect((await (await halfIn(n)).enterCode(code)).status).to.equal(400)
    }
  })
})
