/** Hosts that break a rule each: every broken rule is found by the rule that names it, and by no other. */
import { expect } from 'chai'
import pLimit from 'p-limit'
import type { Conformance } from '../../../lib/conform/conform.ts'
import { aService, type TestService } from '../service/a-service.ts'
import { aBreakingProxy, type Break } from './a-breaking-proxy.ts'
import { SMALL_LIMIT } from './breaks.ts'
import { conformed, named } from './conformed.ts'

/** Tried side by side on one service: each waits most of the time, and looks only at tasks of its own. */
const SIDE_BY_SIDE = 6

const profile = { limits: { attachmentBytes: SMALL_LIMIT } }

/** Makes a test of each. */
export function eachIsFound(breaks: readonly Break[]): void {
  let service: TestService
  const tried = new Map<Break, Promise<Conformance>>()

  async function triedOn(rule: Break): Promise<Conformance> {
    const keys = { first: service.key, second: service.otherKey }
    const proxy = await aBreakingProxy(service.baseUrl, rule, keys)
    try {
      return await conformed({ baseUrl: proxy.baseUrl, key: keys.first, secondKey: keys.second, profile })
    } finally {
      await proxy.stop()
    }
  }

  before(async () => {
    service = await aService({ profile })
    const limit = pLimit(SIDE_BY_SIDE)
    for (const rule of breaks) tried.set(rule, limit(triedOn, rule))
  })
  after(async () => {
    await Promise.allSettled(tried.values())
    await service.stop()
  })

  for (const rule of breaks)
    it(rule.name, async () => {
      const { findings } = await tried.get(rule)!
      expect(named(findings, 'deviates').sort()).to.deep.equal([...rule.finds].sort())
    })
}
