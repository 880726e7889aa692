/** How the nodes reach a host: over TLS of an authority of its own, and through a proxy, set in Node-RED's own nodes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aGateway, type Gateway } from '../support/network/a-gateway.ts'
import { aProxy, type ForwardProxy } from '../support/network/a-proxy.ts'
import { freePort } from '../support/network/free-port.ts'
import { tlsIdentity } from '../support/network/tls-identity.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, host, read, signer } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

const credentials = { username: 'flows', password: 'of the proxy' }
/** As the header carries them. */
const encoded = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')

describe('the way to a host', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService
  let secure: Gateway
  let plain: Gateway
  let proxy: ForwardProxy
  let ca: string

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    const { authority, server } = await tlsIdentity()
    ca = join(red.userDir, 'authority.pem')
    writeFileSync(ca, authority)
    secure = await aGateway(service.baseUrl, server)
    plain = await aGateway(service.baseUrl)
  })
  beforeEach(async () => {
    proxy = await aProxy(credentials)
    secure.passed.length = 0
    plain.passed.length = 0
  })
  afterEach(() => proxy?.stop())
  after(async () => {
    await red?.stop()
    await secure?.stop()
    await plain?.stop()
    await service?.stop()
  })

  const node = ({ baseUrl }: Gateway, more: object = {}) =>
    host(baseUrl, { credentials: { apiKey: service.apiKey }, timeout: '30', ...more })
  const tls = (more: object = {}): FlowNode => ({ id: 'tls', type: 'tls-config', ca, verifyservercert: true, ...more })
  const through = (more: object = {}): FlowNode => ({
    id: 'proxy',
    type: 'http proxy',
    url: proxy.url,
    noproxy: [],
    credentials,
    ...more,
  })
  /** Configuration nodes lie outside of the tab. */
  const deploy = async (connection: FlowNode, ...configurations: FlowNode[]) =>
    red.deploy([...configurations, ...flow(connection, ...createTask(), ...read(), ...signer())])

  const sends = async () => (await aCreatedTask(red, service)).taskId

  describe('over TLS', () => {
    it('trusts the authority of the tls-config node', async () => {
      await deploy(node(secure, { tls: 'tls' }), tls())
      await sends()
      expect(secure.passed.map(({ headers }) => headers['x-api-key'])).to.include(service.apiKey)
    })

    it('trusts nobody else, and the key stays here', async () => {
      await deploy(node(secure))
      red.inject('create', anOrder())
      const { error } = await red.next('caught')
      expect(error?.code).to.match(/CERT|UNABLE_TO_/)
      await red.statusOf('create', 'unreachable')
      expect(secure.passed).to.deep.equal([])
    })

    it('judges by the name that the tls-config node gives', async () => {
      await deploy(node(secure, { tls: 'tls' }), tls({ servername: 'elsewhere.example.org' }))
      red.inject('read', { taskId: 1 })
      expect((await red.next('caught')).error).to.include({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
      expect(secure.passed).to.deep.equal([])
    })

    it('takes the signer of a sandbox the same way', async () => {
      await deploy(node(secure, { tls: 'tls' }), tls())
      const taskId = await sends()
      red.inject('signer', { taskId })
      await red.next('signer.0')
      expect(await service.statusOf(taskId)).to.equal('Completed')
    })
  })

  describe('through a proxy', () => {
    it('opens a tunnel for https: the proxy learns the address and its own password, and nothing else', async () => {
      await deploy(node(secure, { tls: 'tls', proxy: 'proxy' }), tls(), through())
      const taskId = await sends()
      red.inject('signer', { taskId })
      await red.next('signer.0')
      expect(new Set(proxy.asked)).to.deep.equal(new Set([`CONNECT ${secure.baseUrl.replace('https://', '')}`]))
      expect(secure.passed.length).to.be.greaterThan(1)
      expect(proxy.read()).to.contain(encoded).and.not.contain(service.apiKey).and.not.contain('x-api-key')
      for (const { headers } of secure.passed) {
        expect(headers).to.include({ 'x-api-key': service.apiKey }).and.not.have.property('proxy-authorization')
        expect(JSON.stringify(headers)).to.not.contain(encoded)
      }
    })

    it('trusts nobody else behind the tunnel', async () => {
      await deploy(node(secure, { proxy: 'proxy' }), through())
      red.inject('read', { taskId: 1 })
      expect((await red.next('caught')).error?.code).to.match(/CERT|UNABLE_TO_/)
      expect(secure.passed).to.deep.equal([])
    })

    it('uses the proxy for http, which is for this machine only', async () => {
      await deploy(node(plain, { proxy: 'proxy' }), through())
      const taskId = await sends()
      red.inject('signer', { taskId })
      await red.next('signer.0')
      const asked = [`GET ${plain.baseUrl}`, `POST ${plain.baseUrl}`]
      expect([...new Set(proxy.asked)].sort()).to.deep.equal(asked)
      expect(proxy.asked.length).to.equal(plain.passed.length)
      for (const { headers } of plain.passed) expect(JSON.stringify(headers)).to.not.contain(encoded)
    })

    it('calls exempt hosts directly', async () => {
      for (const [target, more] of [
        [secure, { tls: 'tls', proxy: 'proxy' }],
        [plain, { proxy: 'proxy' }],
      ] as const) {
        await deploy(node(target, more), tls(), through({ noproxy: ['example.org', '127.0.0.1'] }))
        const taskId = await sends()
        red.inject('signer', { taskId })
        await red.next('signer.0')
      }
      expect(proxy.asked).to.deep.equal([])
    })

    it('tells that the proxy refuses, or is not there, and shows no password', async () => {
      const wrong = { ...credentials, password: 'another one' }
      await deploy(node(secure, { tls: 'tls', proxy: 'proxy' }), tls(), through({ credentials: wrong }))
      red.inject('read', { taskId: 1 })
      const refused = await red.next('caught')
      expect(refused.error).to.include({ code: 'HTTP_407' })
      await red.statusOf('read', 'unreachable')
      const url = `http://127.0.0.1:${await freePort()}`
      await deploy(node(secure, { tls: 'tls', proxy: 'proxy' }), tls(), through({ url }))
      red.inject('read', { taskId: 1 })
      const gone = await red.next('caught')
      expect(gone.error).to.include({ code: 'ECONNREFUSED' })
      expect(JSON.stringify([refused, gone])).to.not.match(/of the proxy|another one/)
      expect(secure.passed).to.deep.equal([])
    })
  })

  it('writes neither key nor password to the log', () => {
    const log = red.log.join('')
    for (const secret of [service.apiKey, credentials.password, encoded]) expect(log).to.not.contain(secret)
  })
})
