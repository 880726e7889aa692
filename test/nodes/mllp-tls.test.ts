/** MLLP over TLS between the two nodes of a real Node-RED, with certificates from its tls-config nodes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { aMessage } from '../support/hl7/mllp-peers.ts'
import { freePort } from '../support/network/free-port.ts'
import { tlsIdentity } from '../support/network/tls-identity.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, mllpIn, mllpOut } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

describe('MLLP over TLS', function () {
  this.timeout(60_000)
  let red: NodeRed
  let port: number
  let files: Record<'key' | 'cert' | 'ca', string>

  before(async () => {
    port = await freePort()
    red = await aNodeRed()
    const { authority, server } = await tlsIdentity()
    const file = (name: string, content: string) => {
      const path = join(red.userDir, name)
      writeFileSync(path, content)
      return path
    }
    files = { key: file('key.pem', server.key), cert: file('cert.pem', server.cert), ca: file('ca.pem', authority) }
  })
  after(() => red?.stop())

  /** Both nodes, with their settings for TLS. */
  async function deployed(receiver: object, sender: object, more: object = {}): Promise<void> {
    await red.deploy([
      { id: 'receiver', type: 'tls-config', verifyservercert: true, ...receiver },
      { id: 'sender', type: 'tls-config', verifyservercert: true, ...sender },
      ...flow(
        ...mllpIn(port, { tls: 'receiver', ...more }),
        ...mllpOut(port, { tls: 'sender', tries: '1', timeout: '5' }),
      ),
    ])
    await red.statusOf('in', /^listening/)
  }

  it('delivers to a receiver that the authority of the sender vouches for', async () => {
    const { key, cert, ca } = files
    await deployed({ key, cert }, { ca })
    red.inject('out', { payload: aMessage('T1').toString() })
    expect(await red.next('out.0')).to.include({ accepted: true, answerCode: 'AA' })
    expect(await red.next('in.0')).to.include({ controlId: 'T1' })
  })
  const isTold = (times: number) =>
    eventually(() => expect(red.log.join('').split('Let each side trust the authority')).to.have.length(times + 1))

  it('says at once that a certificate is refused, keeps the message, and sends it after the deploy that mends it', async () => {
    const { key, cert, ca } = files
    await deployed({ key, cert }, {})
    red.inject('out', { payload: aMessage('T2').toString() })
    await red.statusOf('out', 'certificate refused, 1 queued')
    await isTold(1)
    // Nor is it given up when the receiver refuses that of the sender.
    await deployed({ key, cert, ca }, { ca }, { senderCertificates: true })
    await red.statusOf('out', 'certificate refused, 1 queued')
    await isTold(2)
    await deployed({ key, cert, ca }, { key, cert, ca }, { senderCertificates: true })
    expect(await red.next('out.0')).to.include({ accepted: true })
    await red.next('in.0', ({ controlId }) => controlId === 'T2')
    expect(red.waiting('out.1')).to.deep.equal([])
  })
})
