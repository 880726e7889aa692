/** Who calls, when a proxy stands in front: the visitor it names, if the proxy is a trusted one; else the proxy itself. */
import { expect } from 'chai'
import { SIGN_INS_PER_ADDRESS, VERIFICATIONS_PER_ADDRESS } from '../../../server/choices.ts'
import type { ServiceOptions } from '../../../server/index.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { aService } from '../../support/service/a-service.ts'

const VISITOR = '198.51.100.7'
const NEIGHBOUR = '198.51.100.8'

describe('a visitor behind a proxy', () => {
  /** The statuses of one guess more than an address has, all as the visitor, and then of one as a neighbour. */
  async function guessed(options: ServiceOptions) {
    const service = await aService(options)
    const visit = aVisit(service.baseUrl)
    const guess = async (forwarded: string, i: number) => {
      const credentials = { email: `${i}@practice.example`, password: 'guess' }
      return (await visit.ask('POST', '/account/api/session', credentials, { 'x-forwarded-for': forwarded })).status
    }
    const first = await Promise.all(Array.from({ length: SIGN_INS_PER_ADDRESS }, (_, i) => guess(VISITOR, i)))
    const more = [
      await guess(VISITOR, 1000),
      await guess(NEIGHBOUR, 1001),
      await guess(`${NEIGHBOUR}, ${VISITOR}`, 1002),
    ]
    await service.stop()
    expect(new Set(first)).to.deep.equal(new Set([401]))
    return more
  }

  it('is throttled by itself where the proxy is trusted, even when the visitor puts others before its own address', async () => {
    expect(await guessed({ trustedProxies: ['127.0.0.0/8'] })).to.deep.equal([429, 401, 429])
  })

  it('cannot pass for somebody else where no proxy is trusted', async () => {
    expect(await guessed({})).to.deep.equal([429, 429, 429])
    expect(await guessed({ trustedProxies: ['10.0.0.0/8', '::1'] })).to.deep.equal([429, 429, 429])
  })

  it('is throttled together with all of the same IPv6 network, and with nobody else', async () => {
    const service = await aService({ trustedProxies: ['127.0.0.1'] })
    const visit = aVisit(service.baseUrl)
    const guess = async (i: number, network = '2001:db8:0:7') => {
      const credentials = { email: `${i}@practice.example`, password: 'guess' }
      const from = { 'x-forwarded-for': `${network}::${i.toString(16)}` }
      return (await visit.ask('POST', '/account/api/session', credentials, from)).status
    }
    const verify = async (i: number) => {
      const from = { 'x-forwarded-for': `2001:db8:0:7:${i.toString(16)}::1` }
      return (await visit.ask('POST', '/verify/api/document', Buffer.from('no PDF'), from)).status
    }
    await Promise.all(Array.from({ length: SIGN_INS_PER_ADDRESS }, (_, i) => guess(i)))
    expect([await guess(1000), await guess(1001, '2001:db8:0:8')]).to.deep.equal([429, 401])
    for (let i = 0; i < VERIFICATIONS_PER_ADDRESS; i++) expect(await verify(i)).not.to.equal(429)
    expect(await verify(1000)).to.equal(429)
    await service.stop()
  })

  it('may have documents verified when a neighbour may not any more', async () => {
    const service = await aService({ trustedProxies: ['127.0.0.1'] })
    const visit = aVisit(service.baseUrl)
    const verify = async (forwarded: string) =>
      (await visit.ask('POST', '/verify/api/document', Buffer.from('no PDF'), { 'x-forwarded-for': forwarded })).status
    for (let i = 0; i < VERIFICATIONS_PER_ADDRESS; i++) expect(await verify(VISITOR)).not.to.equal(429)
    expect(await verify(VISITOR)).to.equal(429)
    expect(await verify(NEIGHBOUR)).not.to.equal(429)
    await service.stop()
  })
})
