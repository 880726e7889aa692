/** A host whose certificate comes from an authority of its own, over real TLS, as docs/guides/client.md says. */
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../../../support/a-folder.ts'
import { tlsIdentity } from '../../../support/network/tls-identity.ts'
import { ran } from '../../../support/processes.ts'
import { type AHost, aHost } from './a-host.ts'
import { failureOf } from './failure-of.ts'

describe('a host with a certificate authority of its own', () => {
  let host: AHost
  let authority: string
  before(async () => {
    const identity = await tlsIdentity()
    authority = identity.authority
    host = await aHost(identity.server)
  })
  after(() => host.stop())

  it('is reached when the agent knows the authority', async () => {
    host.plan({})
    const httpsAgent = new Agent({ ca: authority })
    expect(await host.client({ httpsAgent }).listTemplates()).to.deep.equal([])
    expect(host.requests[0]?.headers['x-api-key']).to.equal('key')
  })

  it('gets neither key nor request when nobody vouches for it', async () => {
    host.plan({}, {})
    const other = new Agent({ ca: (await tlsIdentity()).authority })
    for (const options of [{}, { httpsAgent: other }]) {
      const failure = await failureOf(host.client(options).listTemplates())
      expect(failure).to.include({ name: 'UnreachableError', mayHaveArrived: false })
      expect(failure.code).to.match(/CERT|UNABLE/)
    }
    expect(host.requests).to.deep.equal([])
  })

  it('is reached by a program that was started with NODE_EXTRA_CA_CERTS', async () => {
    const file = join(aFolder(), 'authority.pem')
    writeFileSync(file, authority)
    const main = import.meta.resolve('../../../../lib/client/client.ts')
    const program = `
      const { createClient } = await import(${JSON.stringify(main)})
      const client = createClient({ baseUrl: ${JSON.stringify(host.baseUrl)}, apiKey: 'key', proxy: false })
      console.log(JSON.stringify(await client.listTemplates()))`
    host.plan({})
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: file }
    const { code, stdout, stderr } = await ran(['--input-type=module', '--eval', program], { env })
    expect([code, stdout, stderr]).to.deep.equal([0, '[]\n', ''])
  })
})
