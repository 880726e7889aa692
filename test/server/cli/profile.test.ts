import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { countersign, serve } from '../../support/service/served.ts'

const SANDBOX = ['--sandbox', '--seed', 'demo', '--data', ':memory:']
const ACME = join(import.meta.dirname, '../../support/foreign-host/acme.json')

describe('countersign serve --profile', () => {
  it('speaks as the host of the file', async () => {
    const served = await serve([...SANDBOX, '--profile', ACME])
    try {
      const headers = { 'X-Acme-Key': served.apiKeys[0]!.key }
      const answer = await fetch(`${served.baseUrl}/partner/api/v1/documenttypes`, { headers })
      expect(await answer.json()).to.have.all.keys('results')
    } finally {
      await served.stop()
    }
  })

  it('says what is wrong with a file, all of it at once', async () => {
    const file = join(aFolder(), 'wrong.json')
    writeFileSync(file, '{ "headerPrefix": "X Acme", "webhook": { "timestampUnit": "minutes" } }')
    const { code, stderr } = await countersign(['serve', ...SANDBOX, '--profile', file])
    expect(code).to.equal(2)
    expect(stderr).to.include(
      '--profile: headerPrefix: letters, digits and hyphens, as in a header; webhook.timestampUnit: s or ms',
    )
    const missing = await countersign(['serve', ...SANDBOX, '--profile', `${file}.not`])
    expect(missing.stderr).to.include('--profile: the file cannot be read (ENOENT)')
  })
})
