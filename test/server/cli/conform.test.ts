import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Change } from '../../../lib/conform/report/compare.ts'
import type { Report } from '../../../lib/conform/report/report.ts'
import { parseProfile } from '../../../lib/profile/parse-profile.ts'
import { aFolder } from '../../support/a-folder.ts'
import { called } from '../../support/commands/called.ts'
import { aBreakingProxy } from '../../support/conformance/a-breaking-proxy.ts'
import { breaks, SMALL_LIMIT } from '../../support/conformance/breaks.ts'
import { FOREIGN_KEY, foreignHost } from '../../support/foreign-host/foreign-host.ts'
import { aForwardingProxy } from '../../support/network/a-forwarding-proxy.ts'
import { freePort } from '../../support/network/free-port.ts'
import { told } from '../../support/overheard.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { countersign } from '../../support/service/served.ts'

/** This host has no task that fails, and nothing comes of waiting for one. */
const SHORT = ['--signer', '9999900019', '--patience', '3']

describe('countersign conform', function () {
  this.timeout(120_000)
  let service: TestService
  /** Takes small documents alone: the largest ones are tried at the other. */
  let small: TestService
  const profile = join(aFolder(), 'small.json')
  before(async () => {
    service = await aService()
    const limits = { attachmentBytes: SMALL_LIMIT }
    writeFileSync(profile, JSON.stringify({ limits }))
    small = await aService({ profile: { limits } })
  })
  after(() => Promise.all([service.stop(), small.stop()]))

  const keys = ({ key, otherKey } = service) => ({ COUNTERSIGN_KEY: key, COUNTERSIGN_SECOND_KEY: otherKey })
  const tasks = async () => (await service.client.listTasks()).length

  it('exits with 0 where every rule holds, tells its progress, and writes a report without anything private', async () => {
    const file = join(aFolder(), 'report.json')
    const call = ['conform', '--url', service.baseUrl, '--yes', '--json', '--report', file]
    const { code, stdout, stderr } = await countersign(call, keys())
    expect(stderr).not.to.include('DEVIATES')
    expect(code).to.equal(0)
    const { deviates, notTried, holds, left } = JSON.parse(stdout)
    expect({ deviates, notTried, left }).to.deep.equal({
      deviates: 0,
      notTried: 0,
      left: { taskIds: [], subscriptionIds: [] },
    })
    expect(stderr.match(/^holds /gm)).to.have.length(holds)
    const text = readFileSync(file, 'utf8')
    expect((JSON.parse(text) as Report).counts.holds).to.equal(holds)
    expect(told(text)).to.deep.equal([])
  })

  it('says which rules ended otherwise than in an earlier report, and reads it before it sends anything', async () => {
    const folder = aFolder()
    const [earlier, wrong] = [join(folder, 'earlier.json'), join(folder, 'wrong.json')]
    const call = ['conform', '--url', service.baseUrl, '--yes', '--json', '--compare']
    writeFileSync(wrong, JSON.stringify({ at: 'now', rules: [{ name: 'Whitfield' }] }))
    const before = await tasks()
    const refused = await countersign([...call, wrong], keys())
    expect([refused.code, await tasks()]).to.deep.equal([2, before])
    expect(refused.stderr).to.include('--compare: ').and.not.include('Whitfield')
    writeFileSync(earlier, JSON.stringify({ at: 'now', rules: [{ group: 'Old', name: 'is gone', result: 'holds' }] }))
    const { stdout } = await countersign([...call, earlier], keys())
    const { changes } = JSON.parse(stdout) as { changes: Change[] }
    expect(changes.at(-1)).to.deep.equal({ rule: 'Old: is gone', before: 'holds', now: null })
    expect(changes.slice(0, -1).every(({ before: then, now }) => then === null && now === 'holds')).to.equal(true)
  })

  it('exits with 1 where one does not, and says so to CI', async () => {
    const rule = breaks.find(({ name }) => name === 'answers a create with 200')!
    const proxy = await aBreakingProxy(small.baseUrl, rule, { first: small.key, second: small.otherKey })
    const file = join(aFolder(), 'report.xml')
    try {
      const { code, stdout, stderr } = await countersign(
        ['conform', '--url', proxy.baseUrl, '--profile', profile, '--yes', '--report', file],
        { COUNTERSIGN_KEY: small.key },
      )
      expect(code).to.equal(1)
      expect(stderr).to.include('DEVIATES   Create: a create is answered 201 (answered 200, not 201)')
      expect(stdout).to.match(/^Of \d+ rules, \d+ hold, 1 deviates, \d+ could not be tried\.\n$/)
      const xml = readFileSync(file, 'utf8')
      expect(xml.match(/<failure /g)).to.have.length(1)
      expect(xml).to.match(/<testsuites name="Conformance" tests="\d+" failures="1" errors="0" skipped="\d+">/)
    } finally {
      await proxy.stop()
    }
  })

  it('takes callbacks at the public URL of its receiver, through a proxy that leaves out the path', async () => {
    const port = await freePort()
    const proxy = await aForwardingProxy('/callbacks', port)
    const place = ['--receiver-port', String(port), '--receiver-url', `${proxy.url}/`]
    try {
      const call = ['conform', '--url', small.baseUrl, '--profile', profile, '--yes', '--json', ...place]
      const { code, stdout, stderr } = await countersign(call, keys(small))
      expect(JSON.parse(stdout)).to.include({ deviates: 0, notTried: 0 })
      expect(stderr).to.match(/^holds {6}Callbacks: its signature is right$/m)
      expect(code).to.equal(0)
      expect(proxy.forwarded()).to.be.greaterThan(5)
    } finally {
      await proxy.stop()
    }
  })

  it('learns the profile of a host that is not ours, and tries it by that', async () => {
    const host = await foreignHost()
    const inbox = setInterval(() => {
      for (const { taskId, status } of host.records.tasks.values())
        if (status === 'Received') void host.presents(taskId)
    }, 20)
    const file = join(aFolder(), 'learnt.json')
    try {
      const { code, stderr } = await countersign(
        ['conform', '--url', `${host.baseUrl}/partner`, '--name', 'Acme', '--learn', file, '--yes', ...SHORT],
        { COUNTERSIGN_KEY: FOREIGN_KEY },
      )
      expect(code, 'it deviates in many ways').to.equal(1)
      expect(stderr).to.match(/^seen {7}headerPrefix "X-Acme-" \(the headers of a callback\)$/m)
      expect(stderr).to.match(/^holds {6}Callbacks: its signature is right$/m)
      const { name, basePath, webhook } = parseProfile(readFileSync(file, 'utf8'))
      expect({ name, basePath }).to.deep.equal({ name: 'Acme', basePath: '/partner' })
      expect(webhook).to.include({ secretEncoding: 'utf8', timestampUnit: 'ms' })
      const waiting = [...host.records.tasks.values()].filter(({ status }) => status !== 'Retracted')
      expect(waiting).to.deep.equal([])
    } finally {
      clearInterval(inbox)
      await host.stop()
    }
  })

  it('creates nothing unless it may', async () => {
    const before = await tasks()
    const { code, stderr } = await called(['conform', '--url', service.baseUrl], keys())
    expect([code, stderr]).to.deep.equal([
      2,
      'countersign: It creates tasks and subscriptions at the host. Pass --yes where no one can be asked.\n',
    ])
    expect(await tasks()).to.equal(before)
  })

  it('says everything that is wrong with its options at once, and no key', async () => {
    const call = ['conform', '--url', 'nowhere', '--signer', '12', '--report', 'report.pdf', '--patience', '0']
    const { code, stderr } = await called(call)
    expect(code).to.equal(2)
    expect(stderr).to.equal(
      'countersign: --url: an absolute http or https URL without a user or a query; --key is required, or COUNTERSIGN_KEY in the environment; ' +
        '--signer: an NPI of ten digits; --patience: a number of seconds, up to 3600; --report: a file that ends in .html, .json or .xml.\n',
    )
  })
})
