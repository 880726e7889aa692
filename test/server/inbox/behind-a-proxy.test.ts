/** Who calls, when a proxy stands in front: the visitor it names, if the proxy is a trusted one; else the proxy itself. */
import { expect } from 'chai'
import { SIGN_INS_PER_ADDRESS, VERIFICATIONS_PER_ADDRESS } from '../../../server/choices.ts'
import type { ServiceOptions } from '../../../server/index.ts'
import { openStore } from '../../../server/store/store.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { aService } from '../../support/service/a-service.ts'
import { anAccount } from '../../support/service/an-account.ts'

const VISITOR = '198.51.100.7'
const NEIGHBOUR = '198.51.100.8'

/** Guesses begin with 0. Those that are to be stopped, or that somebody else makes, follow them. */
const [ONE_MORE, ELSEWHERE, BY_WAY_OF_ANOTHER] = [0, 1, 2].map((n) => SIGN_INS_PER_ADDRESS + n) as [
  number,
  number,
  number,
]
const emailOf = (guess: number) => `${guess}@practice.example`

/** Where each address that is guessed at has an account, so that a guess takes little time. */
async function aServiceToGuessAt(options: ServiceOptions) {
  const data = aFolder()
  const masterKey = Buffer.alloc(32, 7)
  const store = await openStore({ data, kind: 'sandbox' }, masterKey)
  for (let guess = 0; guess <= BY_WAY_OF_ANOTHER; guess++)
    await anAccount(store, { email: emailOf(guess), name: 'An Operator', role: 'operator', password: 'right' })
  await store.close()
  return aService({ data, masterKey: masterKey.toString('base64'), ...options })
}

describe('a visitor behind a proxy', () => {
  /** The statuses of one guess more than an address has, all as the visitor, and then of one as a neighbour. */
  async function guessed(options: ServiceOptions) {
    const service = await aServiceToGuessAt(options)
    const visit = aVisit(service.baseUrl)
    const guess = async (forwarded: string, i: number) => {
      const credentials = { email: emailOf(i), password: 'guess' }
      return (await visit.ask('POST', '/account/api/session', credentials, { 'x-forwarded-for': forwarded })).status
    }
    const first = await Promise.all(Array.from({ length: SIGN_INS_PER_ADDRESS }, (_, i) => guess(VISITOR, i)))
    const more = [
      await guess(VISITOR, ONE_MORE),
      await guess(NEIGHBOUR, ELSEWHERE),
      await guess(`${NEIGHBOUR}, ${VISITOR}`, BY_WAY_OF_ANOTHER),
    ]
    await service.stop()
    expect(new Set(first)).to.deep.equal(new Set([401]))
    return more
  }

  it('is throttled by itself where the proxy is trusted, even when the visitor puts others before its own address', async () => {
    expect(await guessed({ trustProxy: ['127.0.0.0/8'] })).to.deep.equal([429, 401, 429])
  })

  it('is the same visitor whatever port the proxies write behind addresses', async () => {
    const service = await aServiceToGuessAt({ trustProxy: ['127.0.0.0/8', '10.0.0.0/8'] })
    const visit = aVisit(service.baseUrl)
    const guess = async (forwarded: string, i: number) => {
      const credentials = { email: emailOf(i), password: 'guess' }
      return (await visit.ask('POST', '/account/api/session', credentials, { 'x-forwarded-for': forwarded })).status
    }
    const tries = Array.from({ length: SIGN_INS_PER_ADDRESS }, (_, i) =>
      guess(`${VISITOR}:${1000 + i}, 10.0.0.1:${2000 + i}`, i),
    )
    expect(new Set(await Promise.all(tries))).to.deep.equal(new Set([401]))
    expect(await guess(`${VISITOR}:9`, ONE_MORE)).to.equal(429)
    expect(await guess(VISITOR, ONE_MORE)).to.equal(429)
    expect(await guess(`"${VISITOR}:9"`, ONE_MORE)).to.equal(429)
    expect(await guess(`${NEIGHBOUR}:9`, ELSEWHERE)).to.equal(401)
    await service.stop()
  })

  it('is known in each way in which proxies write addresses, and by what the nearest untrusted one is', async () => {
    const service = await aServiceToGuessAt({ trustProxy: ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'] })
    const visit = aVisit(service.baseUrl)
    const guess = async (forwarded: string, i: number) => {
      const credentials = { email: emailOf(i), password: 'guess' }
      return (await visit.ask('POST', '/account/api/session', credentials, { 'x-forwarded-for': forwarded })).status
    }
    await Promise.all(Array.from({ length: SIGN_INS_PER_ADDRESS }, (_, i) => guess(VISITOR, i)))
    const ofVisitor = [
      `203.0.113.9, ${VISITOR}`,
      `unknown, ${VISITOR}`,
      `${VISITOR}, 10.0.0.1`,
      `203.0.113.9, ${VISITOR}, 10.0.0.1:80, "10.0.0.2:9"`,
      `${VISITOR}, [::ffff:10.0.0.1]:80`,
      `${VISITOR}, [fd00::1]:80, fd00::2`,
      `${VISITOR},10.0.0.1`,
      `\t${VISITOR}\t`,
      `,, ${VISITOR} ,`,
      `${VISITOR}, , 10.0.0.1, `,
      `${VISITOR}:`,
      `[${VISITOR}]`,
      `::ffff:${VISITOR}`,
      '::FFFF:C633:6407',
      `[::ffff:${VISITOR}]:443`,
      `"[::ffff:c633:6407]:443"`,
      `${VISITOR}%eth0`,
      `${'203.0.113.9, '.repeat(1000)}${VISITOR}`,
      `${'10.0.0.1, '.repeat(1000)}${VISITOR}`,
    ]
    for (const forwarded of ofVisitor) expect(await guess(forwarded, ONE_MORE), forwarded).to.equal(429)
    // What no proxy writes is one caller for all, so that nobody becomes another one by it.
    for (let i = 0; i < SIGN_INS_PER_ADDRESS; i++)
      expect(await guess(['unknown', '_hidden', `for=${VISITOR}`][i % 3]!, i)).to.be.oneOf([401, 429])
    const ofNoOne = [
      `${VISITOR}, unknown`,
      `${VISITOR}:99999999`,
      `${VISITOR}:80:80`,
      `${VISITOR} ${VISITOR}`,
      `${VISITOR};${NEIGHBOUR}`,
      `0306.063.0144.07`,
      `198.51.100.007`,
      `3325256711`,
      `"${VISITOR}`,
      `[${VISITOR}`,
      `http://${VISITOR}`,
      '__proto__',
      '::ffff:198.51.100.7:80',
      `${VISITOR}, [::1`,
      '-',
    ]
    for (const forwarded of ofNoOne) expect(await guess(forwarded, ONE_MORE), forwarded).to.equal(429)
    for (const forwarded of [NEIGHBOUR, `${VISITOR}, ${NEIGHBOUR}`, `${VISITOR}, ${NEIGHBOUR}:9, 10.0.0.1`])
      expect(await guess(forwarded, ELSEWHERE), forwarded).to.equal(401)
    await service.stop()
  })

  it('cannot pass for somebody else where no proxy is trusted', async () => {
    expect(await guessed({})).to.deep.equal([429, 429, 429])
    expect(await guessed({ trustProxy: ['10.0.0.0/8', '::1'] })).to.deep.equal([429, 429, 429])
  })

  it('is throttled together with all of the same IPv6 network, and with nobody else', async () => {
    const service = await aServiceToGuessAt({ trustProxy: ['127.0.0.1'] })
    const visit = aVisit(service.baseUrl)
    const guess = async (i: number, network = '2001:db8:0:7') => {
      const credentials = { email: emailOf(i), password: 'guess' }
      const from = { 'x-forwarded-for': `${network}::${i.toString(16)}` }
      return (await visit.ask('POST', '/account/api/session', credentials, from)).status
    }
    const verify = async (i: number) => {
      const from = { 'x-forwarded-for': `2001:db8:0:7:${i.toString(16)}::1` }
      return (await visit.ask('POST', '/verify/api/document', Buffer.from('no PDF'), from)).status
    }
    await Promise.all(Array.from({ length: SIGN_INS_PER_ADDRESS }, (_, i) => guess(i)))
    expect([await guess(ONE_MORE), await guess(ELSEWHERE, '2001:db8:0:8')]).to.deep.equal([429, 401])
    for (let i = 0; i < VERIFICATIONS_PER_ADDRESS; i++) expect(await verify(i)).not.to.equal(429)
    expect(await verify(1000)).to.equal(429)
    await service.stop()
  })

  it('may have documents verified when a neighbour may not any more', async () => {
    const service = await aService({ trustProxy: ['127.0.0.1'] })
    const visit = aVisit(service.baseUrl)
    const verify = async (forwarded: string) =>
      (await visit.ask('POST', '/verify/api/document', Buffer.from('no PDF'), { 'x-forwarded-for': forwarded })).status
    for (let i = 0; i < VERIFICATIONS_PER_ADDRESS; i++) expect(await verify(VISITOR)).not.to.equal(429)
    expect(await verify(VISITOR)).to.equal(429)
    expect(await verify(NEIGHBOUR)).not.to.equal(429)
    await service.stop()
  })
})
