/** Our own service keeps to the interface, as it words it and as another host speaks it; what is reported of it is private. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Conformance } from '../../../lib/conform/conform.ts'
import { htmlOf } from '../../../lib/conform/report/html.ts'
import { junitOf } from '../../../lib/conform/report/junit.ts'
import { type Report, reportOf } from '../../../lib/conform/report/report.ts'
import { rules } from '../../../lib/conform/rules/rules.ts'
import { FILTERS } from '../../../lib/profile/list-habits.ts'
import { conformed, deviations, named } from '../../support/conformance/conformed.ts'
import { acme, filteringProfile } from '../../support/conformance/filtering-profile.ts'
import { told } from '../../support/overheard.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const root = join(import.meta.dirname, '../../..')

describe('The rules of conformance', function () {
  this.timeout(120_000)

  it('have names of their own, and headings of docs/interface.md', () => {
    const names = rules.map(({ name }) => name)
    expect(new Set(names).size).to.equal(names.length)
    let section = ''
    const headings = new Set<string>()
    for (const [, level, title] of readFileSync(join(root, 'docs/interface.md'), 'utf8').matchAll(
      /^(##|###) (.+)$/gm,
    )) {
      if (level === '##') section = title!
      headings.add(level === '##' ? section : `${section} › ${title}`)
    }
    expect(rules.filter(({ spec }) => !headings.has(spec)).map(({ spec }) => spec)).to.deep.equal([])
  })

  describe('on our own service', () => {
    let service: TestService
    let conformance: Conformance
    let report: Report
    before(async () => {
      service = await aService()
      const { baseUrl, key, otherKey: secondKey } = service
      conformance = await conformed({ baseUrl, key, secondKey })
      report = reportOf(conformance, { baseUrl, at: new Date(0), secrets: [key, secondKey] })
    })
    after(() => service.stop())

    it('hold, all of them', () => {
      expect(deviations(conformance.findings)).to.deep.equal([])
      expect(named(conformance.findings, 'not tried')).to.deep.equal([])
      expect(report.counts).to.deep.equal({ holds: rules.length, deviates: 0, 'not tried': 0 })
    })

    it('leave nothing that waits', async () => {
      expect(conformance.left).to.deep.equal({ taskIds: [], subscriptionIds: [] })
      const tasks = await service.client.listTasks()
      expect(tasks.length).to.be.greaterThan(5)
      expect(tasks.filter(({ status }) => status !== 'Retracted' && status !== 'Failed')).to.deep.equal([])
      const active = (await service.client.listSubscriptions()).filter(({ isActive }) => isActive)
      expect(active).to.deep.equal([])
    })

    it('tell no key, no patient, no document and no text of the host', () => {
      for (const text of [JSON.stringify(report), htmlOf(report), junitOf(report)]) {
        expect(told(text)).to.deep.equal([])
        for (const value of [service.key, 'Conformancea', '1950-01-01', 'CONFORM1', 'JVBERi0', 'Helen', 'Willow'])
          expect(text).not.to.include(value)
      }
    })
  })

  it('hold on a service that speaks as another host, but for the filters that it does not have', async () => {
    const service = await aService({ profile: acme })
    try {
      const { baseUrl, key, otherKey: secondKey } = service
      const { findings } = await conformed({ baseUrl, key, secondKey, profile: acme })
      expect(deviations(findings)).to.deep.equal([])
      const untried = named(findings, 'not tried')
      expect(untried.filter((name) => !FILTERS.some((filter) => name.startsWith(filter)))).to.deep.equal([])
    } finally {
      await service.stop()
    }
  })

  it('hold on a service that filters by parameters of another name, all of them', async () => {
    const service = await aService({ profile: filteringProfile })
    try {
      const { baseUrl, key, otherKey: secondKey } = service
      const { findings } = await conformed({ baseUrl, key, secondKey, profile: filteringProfile })
      expect([...named(findings, 'deviates'), ...named(findings, 'not tried')]).to.deep.equal([])
    } finally {
      await service.stop()
    }
  })
})
