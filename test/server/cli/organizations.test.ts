/** `countersign organizations`: what becomes of active content in the documents of each. */
import { expect } from 'chai'
import type { ActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { aFolder } from '../../support/a-folder.ts'
import { called } from '../../support/commands/called.ts'
import { countersign } from '../../support/service/served.ts'

type Listed = ActiveContentPolicy & { name: string }

const policyOf = ({ javaScript, openAction, embeddedFiles }: Listed) => ({ javaScript, openAction, embeddedFiles })

const env = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }

describe('countersign organizations', () => {
  const data = aFolder()
  const organizations = (...args: string[]) => called(['organizations', ...args, '--data', data], env)
  const told = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await organizations(...args, '--json')
    expect({ code, stderr }, args.join(' ')).to.deep.equal({ code: 0, stderr: '' })
    return JSON.parse(stdout) as T
  }
  const policies = async () =>
    Object.fromEntries((await told<Listed[]>('list')).map((listed) => [listed.name, policyOf(listed)]))

  it('has active content stripped, unless something else is said', async () => {
    const create = ['organizations', 'create', '--name', 'Willow Creek', '--ingestion', '--json', '--data', data]
    const made = JSON.parse((await countersign(create, env)).stdout) as Listed
    const strip = { javaScript: 'strip', openAction: 'strip', embeddedFiles: 'strip' }
    expect(policyOf(made)).to.deep.equal(strip)
    const options = ['--javascript', 'refuse', '--embedded-files', 'allow']
    const other = await told<Listed>('create', '--name', 'Northfield', ...options)
    expect(policyOf(other)).to.deep.equal({ ...strip, javaScript: 'refuse', embeddedFiles: 'allow' })
    expect(await policies()).to.deep.equal({ 'Willow Creek': strip, Northfield: policyOf(other) })
  })

  it('changes what is named, of one organization, and writes down that it did', async () => {
    const changed = await told('set-active-content', 'Willow Creek', '--open-action', 'refuse')
    const policy = { javaScript: 'strip', openAction: 'refuse', embeddedFiles: 'strip' }
    expect(changed).to.deep.equal({ id: 1, name: 'Willow Creek', ...policy })
    expect(await policies()).to.deep.equal({
      'Willow Creek': policy,
      Northfield: { javaScript: 'refuse', openAction: 'strip', embeddedFiles: 'allow' },
    })
    const { stdout } = await called(['audit', 'export', '--data', data], env)
    const last = JSON.parse(stdout.trim().split('\n').at(-1)!) as object
    expect(last).to.include({ action: 'organization.update', actor: 'operator', organizationId: 1 })
  })

  it('says what becomes of documents without a signature field, and of the text of tokens', async () => {
    const name = 'Willow Creek'
    expect(await told('set-signature-rule', name, 'required')).to.deep.equal({ id: 1, name, signatureRule: 'required' })
    expect(await told('set-cover-tokens', name, 'off')).to.deep.equal({ id: 1, name, coversTokens: false })
    expect((await told<object[]>('list'))[0]).to.include({ signatureRule: 'required', coversTokens: false })
    const timeZone = 'America/Los_Angeles'
    expect(await told('set-time-zone', name, timeZone)).to.deep.equal({ id: 1, name, timeZone })
    expect((await told<object[]>('list'))[0]).to.include({ timeZone })
    expect(await told('set-time-zone', name, 'none')).to.deep.equal({ id: 1, name, timeZone: null })
    for (const [verb, asked, right] of [
      ['set-time-zone', 'Pacific Time', 'timeZone: the name of a time zone, such as America/Chicago'],
      ['set-signature-rule', 'never', 'signatureRule: one of required, atEnd, notNeeded'],
      ['set-cover-tokens', 'no', 'set-cover-tokens takes NAME|ID and on or off.'],
    ] as const) {
      const { code, stderr } = await organizations(verb, name, asked)
      expect([code, stderr.trim()]).to.deep.equal([2, `countersign: ${right}`])
    }
  })

  it('shows it to people in words, and says what the words mean', async () => {
    const { stdout } = await organizations('set-active-content', 'Northfield', '--javascript', 'allow')
    expect(stdout).to.match(/javaScript +allow\nopenAction +strip\nembeddedFiles +allow\n/)
    const help = (await organizations('set-active-content', '--help')).stdout
    for (const part of [
      '--javascript <strip|refuse|allow>',
      '--open-action',
      '--embedded-files',
      'strip (the default)',
    ])
      expect(help).to.include(part)
  })

  it('says what is right when it is called wrongly, and changes nothing', async () => {
    const before = await policies()
    const refused = async (code: number, message: string, ...args: string[]) =>
      expect(await organizations(...args)).to.deep.equal({ code, stdout: '', stderr: `countersign: ${message}\n` })
    const nothing = 'set-active-content takes --javascript, --open-action or --embedded-files.'
    await refused(2, nothing, 'set-active-content', 'Northfield')
    const wrong = '--open-action: one of strip, refuse, allow'
    await refused(2, wrong, 'set-active-content', 'Northfield', '--javascript', 'strip', '--open-action', 'run')
    await refused(2, wrong, 'create', '--name', 'Third', '--open-action', '')
    const unknown = 'There is no organization Nowhere. countersign organizations list shows them.'
    await refused(1, unknown, 'set-active-content', 'Nowhere', '--javascript', 'strip')
    expect(await policies()).to.deep.equal(before)
  })
})
