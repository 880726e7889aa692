/** `countersign conform` at a terminal: it asks before it creates anything, and Ctrl+C takes away what it has created. */
import { once } from 'node:events'
import { expect } from 'chai'
import { atATerminal } from '../../support/processes.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { MAIN } from '../../support/service/served.ts'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

describe('countersign conform at a terminal', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  /** Types each text when the terminal has shown what stands before it. Returns the exit code and all that was shown. */
  async function typed(texts: readonly (readonly [shown: string, text: string])[], ...more: string[]) {
    const env = { ...process.env, COUNTERSIGN_KEY: service.key }
    const terminal = atATerminal([MAIN, 'conform', '--url', service.baseUrl, ...more], { env })
    const waiting = [...texts]
    let seen = ''
    terminal.stdout!.on('data', (chunk: Buffer) => {
      seen += chunk.toString()
      if (waiting[0] && seen.includes(waiting[0][0])) terminal.stdin!.write(waiting.shift()![1])
    })
    const [code] = (await once(terminal, 'close')) as [number]
    return { code, seen }
  }

  const QUESTION = '[y/N] '
  const tasks = () => service.client.listTasks()

  for (const [what, text] of [
    ['no', 'n\r'],
    ['nothing', '\r'],
    ['a word that is no yes', 'yellow\r'],
    ['Ctrl+C', CTRL_C],
    ['Ctrl+D', CTRL_D],
  ] as const)
    it(`creates nothing after ${what}`, async () => {
      const { code, seen } = await typed([[QUESTION, text]])
      expect(seen).to.include(`Create about a dozen tasks at ${service.baseUrl}, and withdraw them again? [y/N]`)
      expect(seen).to.include('countersign: Nothing was created.')
      expect(code).to.equal(2)
      expect(await tasks()).to.deep.equal([])
    })

  it('tries the rules after yes, and takes away what it has created after Ctrl+C', async () => {
    const { code, seen } = await typed([
      [QUESTION, 'yes\r'],
      ['a task becomes Pending by itself', CTRL_C],
    ])
    expect(seen).to.include('What had been created was withdrawn.')
    expect(seen).to.include('countersign: Interrupted.')
    expect(seen).not.to.match(/Of \d+ rules/)
    expect(code).to.equal(1)
    const statuses = (await tasks()).map(({ status }) => status)
    expect(statuses).not.to.be.empty
    expect(statuses.filter((status) => status !== 'Retracted' && status !== 'Failed')).to.deep.equal([])
    expect((await service.client.listSubscriptions()).filter(({ isActive }) => isActive)).to.deep.equal([])
  })
})
