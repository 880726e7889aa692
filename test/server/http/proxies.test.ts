/** Behind a proxy every connection is the proxy's: who is counted, and who is in the audit log, when it is trusted and when not. */
import { expect } from 'chai'
import { SIGN_INS_PER_ADDRESS } from '../../../server/choices.ts'
import { aService, type TestService } from '../../support/a-service.ts'
import { aVisit } from '../../support/a-visit.ts'

describe('a service behind a proxy', () => {
  let service: TestService
  afterEach(() => service.stop())

  const signIn = async (i: number, forwarded: string) => {
    const body = { email: `${i}@practice.example`, password: 'a guess of somebody' }
    const change = { 'x-forwarded-for': forwarded }
    return (await aVisit(service.baseUrl).ask('POST', '/account/api/session', body, change)).status
  }
  const guessFrom = async (forwarded: string) => {
    const guesses = Array.from({ length: SIGN_INS_PER_ADDRESS }, (_, i) => signIn(i, forwarded))
    expect(new Set(await Promise.all(guesses))).to.deep.equal(new Set([401]))
  }

  it('keeps out the guesser alone when it trusts the proxy, whatever the guesser adds himself', async () => {
    service = await aService({ trustedProxies: 1 })
    await guessFrom('203.0.113.5')
    expect(await signIn(100, '203.0.113.5')).to.equal(429)
    expect(await signIn(101, '198.51.100.7, 203.0.113.5')).to.equal(429)
    expect(await signIn(102, '203.0.113.6')).to.equal(401)
  })

  it('takes nobody’s word for an address otherwise', async () => {
    service = await aService()
    await guessFrom('203.0.113.5')
    expect(await signIn(100, '203.0.113.6')).to.equal(429)
  })
})
