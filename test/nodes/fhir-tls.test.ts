/** FHIR servers whose certificate comes from an authority of their own, called by a real Node-RED with and without its tls-config. */
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFhirServer, type TestFhirServer } from '../support/fhir/a-fhir-server.ts'
import { document, patient, practitioner } from '../support/hl7/a-bundle.ts'
import { tlsIdentity } from '../support/network/tls-identity.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { fhirBase, flow, orderFromFhir, resultToFhir } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'

const map = { documentTypes: { '52030-8': { documentTypeId: 101 } } }
const answers = {
  'GET /Patient/p1': { body: patient },
  'GET /Practitioner/d1': { body: practitioner },
  'POST /DocumentReference': { status: 201, headers: { location: 'DocumentReference/9' } },
}

describe('a FHIR server with an authority of its own', function () {
  this.timeout(60_000)
  let red: NodeRed
  let open: TestFhirServer
  let closed: TestFhirServer

  before(async () => {
    const [theirs, ours] = [await tlsIdentity(), await tlsIdentity()]
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    open = await aFhirServer({ answers, tls: theirs.server, client: { id: 'bridge', publicKey } })
    closed = await aFhirServer({ answers, tls: { ...theirs.server, clientAuthority: ours.authority } })
    red = await aNodeRed()
    const file = (name: string, content: string) => {
      const path = join(red.userDir, name)
      writeFileSync(path, content)
      return path
    }
    const ca = file('ca.pem', theirs.authority)
    const own = { key: file('key.pem', ours.server.key), cert: file('cert.pem', ours.server.cert) }
    const tls = (id: string, files: object): FlowNode => ({ id, type: 'tls-config', verifyservercert: true, ...files })
    const backend = {
      authorization: 'backend',
      clientId: 'bridge',
      credentials: { privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }) },
    }
    await red.deploy([
      fhirBase(open.baseUrl, { id: 'trusting', tls: 'trusts', ...backend }),
      fhirBase(open.baseUrl, { id: 'without', ...backend }),
      fhirBase(closed.baseUrl, { id: 'known', tls: 'shows' }),
      fhirBase(closed.baseUrl, { id: 'unknown', tls: 'trusts' }),
      fhirBase(closed.baseUrl, { id: 'stranger', tls: 'foreign' }),
      ...flow(
        ...['trusting', 'without', 'known', 'unknown', 'stranger'].flatMap((fhir) =>
          orderFromFhir(map, { fhir }, `${fhir}-order`),
        ),
        ...resultToFhir({ fhir: 'known' }, 'result'),
      ),
      // After the nodes that need them, as an import may have them.
      tls('trusts', { ca }),
      tls('shows', { ca, ...own }),
      tls('foreign', { ca, key: file('k.pem', theirs.selfSigned.key), cert: file('c.pem', theirs.selfSigned.cert) }),
    ])
  })
  after(async () => {
    await red?.stop()
    open?.stop()
    closed?.stop()
  })

  async function failureOf(fhir: string) {
    red.inject(`${fhir}-order`, { payload: document })
    const { error } = await red.next('caught')
    return error
  }

  it('is read, and gives its token, when the tls-config of the node knows the authority', async () => {
    red.inject('trusting-order', { payload: document })
    expect(await red.next('trusting-order.0')).to.include({ action: 'create' })
    expect(open.assertions).to.have.length(1)
  })

  it('gets neither an assertion nor a request from a node without it', async () => {
    const before = [open.assertions.length, open.asked.length]
    expect((await failureOf('without'))?.cause).to.deep.equal({ kind: 'tls', retryable: false })
    expect([open.assertions.length, open.asked.length]).to.deep.equal(before)
  })

  it('that wants a certificate is read and written with that of the tls-config', async () => {
    red.inject('known-order', { payload: document })
    const { origin } = await red.next('known-order.0')
    red.inject('result', { taskId: 7, status: 'Completed', payload: Buffer.from('%PDF-1.7 signed'), origin })
    expect(await red.next('result.0')).to.include({ isNew: true, savedId: 'DocumentReference/9' })
  })

  it('that wants a certificate answers neither without one nor with that of another authority', async () => {
    const before = closed.asked.length
    const failure = await failureOf('unknown')
    expect(failure?.cause).to.deep.equal({ kind: 'tls', retryable: false })
    expect(failure?.message).to.contain('requires a client certificate')
    expect(await failureOf('stranger')).to.have.property('code')
    expect(closed.asked).to.have.length(before)
  })

  it('is found at the deploy, wherever its tls-config stands', () => {
    expect(red.log.join('')).to.not.contain('TLS configuration')
  })
})
