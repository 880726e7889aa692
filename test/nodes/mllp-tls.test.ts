/** MLLP over TLS between the two nodes of a real Node-RED, with certificates from its tls-config nodes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aMessage } from '../support/hl7/mllp-peers.ts'
import { freePort } from '../support/network/free-port.ts'
import { tlsIdentity } from '../support/network/tls-identity.ts'
import { flow, mllpIn, mllpOut } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

describe('MLLP over TLS', function () {
  this.timeout(60_000)
  let red: NodeRed
  let port: number
  let files: Record<'key' | 'cert' | 'ca', string>

  before(async () => {
    port = await freePort()
    red = await startNodeRed()
    const { authority, server } = await tlsIdentity()
    const file = (name: string, content: string) => {
      const path = join(red.userDir, name)
      writeFileSync(path, content)
      return path
    }
    files = { key: file('key.pem', server.key), cert: file('cert.pem', server.cert), ca: file('ca.pem', authority) }
  })
  after(() => red?.stop())

  it('delivers to a receiver that the authority of the sender vouches for', async () => {
    const { key, cert, ca } = files
    await red.deploy([
      { id: 'receiver', type: 'tls-config', key, cert, verifyservercert: true },
      { id: 'sender', type: 'tls-config', ca, verifyservercert: true },
      ...flow(...mllpIn(port, { tls: 'receiver' }), ...mllpOut(port, { tls: 'sender', tries: '1', timeout: '5' })),
    ])
    await red.statusOf('in', /^listening/)
    red.inject('out', { payload: aMessage('T1').toString() })
    expect(await red.next('out.0')).to.include({ accepted: true, answerCode: 'AA' })
    expect(await red.next('in.0')).to.include({ controlId: 'T1' })
  })
})
