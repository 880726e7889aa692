/** The settings of a client are checked when it is made, all at once, and in words. */
import { Agent as HttpAgent } from 'node:http'
import { expect } from 'chai'
import { createClient } from '../../../../lib/client/client.ts'
import { createSandbox } from '../../../../lib/client/sandbox.ts'
import { SettingsError } from '../../../../lib/settings.ts'
import { aClient } from '../../../support/service/a-client.ts'
import { failureOf } from './failure-of.ts'

const right = { baseUrl: 'https://sign.example.org', apiKey: 'key' }
const BASE_URL = 'baseUrl: an https:// or http:// URL, without a query or a fragment'
const IN_HEADER = 'text of visible ASCII characters, without blanks or line breaks at its ends'
const TIMEOUT = 'timeoutMs: a whole number from 1 to 2147483647'

const errorsOf = (given: unknown, make: (options: never) => unknown = createClient): readonly string[] => {
  try {
    make(given as never)
  } catch (failure) {
    if (failure instanceof SettingsError) return failure.errors
    throw failure
  }
  return []
}

describe('the settings of a client', () => {
  for (const [what, changed, error] of [
    ['a host without its scheme', { baseUrl: 'sign.example.org' }, BASE_URL],
    ['another scheme', { baseUrl: 'ftp://sign.example.org' }, BASE_URL],
    ['a base URL with a query', { baseUrl: 'https://sign.example.org?a=b' }, BASE_URL],
    ['a base URL with a blank', { baseUrl: 'https://sign.example.org ' }, BASE_URL],
    ['an empty key', { apiKey: '' }, `apiKey: ${IN_HEADER}`],
    ['a key with the line break of its file', { apiKey: 'key\n' }, `apiKey: ${IN_HEADER}`],
    ['a key that is absent', { apiKey: undefined }, `apiKey: required; ${IN_HEADER}`],
    ['no time at all', { timeoutMs: 0 }, TIMEOUT],
    ['a time as text', { timeoutMs: '5000' }, TIMEOUT],
    ['more time than a timer has', { timeoutMs: 2 ** 31 }, TIMEOUT],
    ['an agent that is none', { httpsAgent: { ca: 'x' } }, 'httpsAgent: an Agent of node:https'],
    ['a proxy as text', { proxy: 'http://proxy:3128' }, 'proxy: false, or an object with host and port'],
    ['a User-Agent of two lines', { userAgent: 'a\r\nb: c' }, `userAgent: ${IN_HEADER}`],
    ['a source of randomness that is a number', { random: 7 }, 'random: a function'],
    ['too many retries', { retries: 11 }, 'retries: a whole number from 0 to 10'],
    ['a hook that is none', { onRequest: 'log' }, 'onRequest: a function'],
    ['a clock that is none', { clock: Date }, 'clock: a Clock'],
    [
      'a wrong profile',
      { profile: { headerPrefix: 'X Acme', tokens: 1 } },
      ['profile.headerPrefix: letters, digits and hyphens, as in a header', 'profile.tokens: there is no such setting'],
    ],
    ['an unknown setting', { timeout: 5 }, 'timeout: there is no such setting'],
  ] as [string, object, string | string[]][])
    it(`refuse ${what}`, () => {
      expect(errorsOf({ ...right, ...changed })).to.deep.equal([error].flat())
    })

  it('are refused for all of their mistakes at once, without the values', () => {
    const canary = { baseUrl: 'canary.example.org', apiKey: 'canary\n', timeoutMs: -1, retrys: 2 }
    expect(errorsOf(canary)).to.deep.equal([
      BASE_URL,
      `apiKey: ${IN_HEADER}`,
      TIMEOUT,
      'retrys: there is no such setting',
    ])
    expect(() => createClient(canary as never))
      .to.throw(SettingsError, /^The settings of the client are wrong: baseUrl: .*; retrys: there is no such setting$/)
      .and.not.satisfy(({ message }: Error) => message.includes('canary'))
    expect(errorsOf({})).to.have.length(2)
    expect(errorsOf(undefined)).to.deep.equal(['settings: an object with baseUrl and apiKey'])
  })

  it('are the same for a sandbox', () => {
    expect(errorsOf({ ...right, timeoutMs: 0 }, createSandbox)).to.deep.equal([TIMEOUT])
  })

  it('take what may be left out, and what is right', () => {
    const agent = new HttpAgent()
    for (const changed of [
      {},
      { timeoutMs: undefined, profile: undefined, proxy: undefined },
      { baseUrl: 'http://127.0.0.1:8090/path/', proxy: { protocol: 'http:', host: 'proxy', port: 3128 } },
      { httpAgent: agent, apiKey: 'Bearer abc', userAgent: 'acme-ehr/3.2 (orders)', proxy: false },
    ])
      expect(errorsOf({ ...right, ...changed }), JSON.stringify(changed)).to.deep.equal([])
  })

  it('hold for the time of a single call as well', async () => {
    const failure = await failureOf(aClient(right).listTemplates({}, { timeoutMs: 0 }))
    expect(failure).to.be.instanceOf(SettingsError)
    expect(failure.message).to.equal(`The settings of the call are wrong: ${TIMEOUT}`)
  })
})
