/** What the editor asks of a deployed service, at the admin roots that operators use, with and without their passwords. */
import { expect } from 'chai'
import { freePort } from '../support/network/free-port.ts'
import { embedded, flow, host } from '../support/node-red/flow.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'

const PASSWORD = 'a password of a test'
const HASH = '$2b$04$2oSJKmnCri./8UM4ICuFneYtjPS5z5tXak1Nz..5jEyYiHAnlIeAy'
/** One may read everything, one may do everything, one may read flows and no node type's own answers. */
const adminAuth = {
  type: 'credentials',
  users: [
    { username: 'analyst', password: HASH, permissions: 'read' },
    { username: 'builder', password: HASH, permissions: '*' },
    { username: 'visitor', password: HASH, permissions: ['flows.read'] },
  ],
}

for (const adminRoot of ['/', '/admin']) {
  describe(`the questions of the editor, with admin root ${adminRoot},`, function () {
    this.timeout(40_000)
    let red: NodeRed
    let service: HostedService

    before(async () => {
      service = await hostedService()
      red = await startNodeRed({ adminRoot })
      await red.deploy([...flow(service.node(), ...(await others()))])
    })
    after(async () => {
      await red?.stop()
      await service?.stop()
    })

    /** Services in every state that a test button may find. */
    const others = async (): Promise<FlowNode[]> => [
      { ...host(service.baseUrl), id: 'refused' },
      { ...host(`http://127.0.0.1:${await freePort()}`), id: 'nobody' },
      { ...host(service.baseUrl, { credentials: {} }), id: 'keyless' },
      { ...host(`${service.baseUrl}/elsewhere`, { credentials: { apiKey: service.apiKey } }), id: 'elsewhere' },
      { ...embedded(), id: 'simulated' },
    ]
    const ask = (id: string, what: string, token?: string) =>
      fetch(red.adminUrl(`countersign/services/${id}/${what}`), {
        headers: token ? { authorization: `Bearer ${token}` } : {},
      })
    const answer = async (id: string, what: string) => (await ask(id, what)).json()

    it('are answered by the service as it is deployed', async () => {
      expect(await answer('service', 'test')).to.deep.equal({ outcome: 'ok' })
      expect(await answer('simulated', 'test')).to.deep.equal({ outcome: 'ok' })
      const types = (await answer('service', 'document-types')) as { id: number; name: string }[]
      expect(types.find(({ id }) => id === 104)).to.include({ name: 'Physician Order (verbal)' })
      const templates = (await answer('service', 'templates')) as object[]
      expect(templates[0]).to.include.keys('templateId', 'summary')
    })

    it('tell what is wrong with a service, each in its own word', async () => {
      expect(await answer('refused', 'test')).to.deep.equal({ outcome: 'unauthorized' })
      expect(await answer('nobody', 'test')).to.deep.equal({ outcome: 'unhealthy', code: 'ECONNREFUSED' })
      expect(await answer('keyless', 'test')).to.deep.equal({ outcome: 'notConfigured' })
      expect(await answer('elsewhere', 'test')).to.deep.equal({ outcome: 'unexpected' })
    })

    it('are refused with 503 and the reason when nobody can answer them', async () => {
      for (const [id, what, error] of [
        ['nobody', 'templates', 'ECONNREFUSED'],
        ['keyless', 'document-types', 'NO_KEY'],
        ['refused', 'document-types', 'UNAUTHORIZED'],
        ['not-deployed', 'test', 'NOT_DEPLOYED'],
        ['tab', 'templates', 'NOT_DEPLOYED'],
      ] as const) {
        const response = await ask(id, what)
        expect([response.status, await response.json()], id).to.deep.equal([503, { error }])
      }
    })

    it('are never kept by a cache, and never answered with a key', async () => {
      for (const what of ['test', 'document-types', 'templates', 'tasks']) {
        const response = await ask('service', what)
        expect(response.headers.get('cache-control')).to.equal('no-store')
        expect(await response.text()).to.not.contain(service.apiKey)
      }
    })

    it('are answered only for users who may read these nodes, when the editor has passwords', async () => {
      const { userDir, port } = red
      await red.stop({ keep: true })
      red = await startNodeRed({ adminRoot, userDir, port, settings: { adminAuth } })
      const tokenOf = async (username: string, scope: string) => {
        const login = { client_id: 'node-red-editor', grant_type: 'password', scope, username, password: PASSWORD }
        const response = await fetch(red.adminUrl('auth/token'), { method: 'POST', body: new URLSearchParams(login) })
        return ((await response.json()) as { access_token: string }).access_token
      }
      const analyst = await tokenOf('analyst', 'read')
      const visitor = await tokenOf('visitor', 'flows.read')
      const builder = await tokenOf('builder', '*')
      const flows = await fetch(red.adminUrl('flows'), { headers: { authorization: `Bearer ${visitor}` } })
      expect(flows.status, 'the visitor has a token that is good for something').to.equal(200)
      for (const what of ['test', 'document-types', 'templates', 'tasks']) {
        expect((await ask('service', what)).status, what).to.equal(401)
        expect((await ask('service', what, 'another-token')).status, what).to.equal(401)
        expect((await ask('service', what, visitor)).status, what).to.equal(401)
        expect((await ask('service', what, analyst)).status, what).to.equal(200)
      }
      for (const [method, what] of [
        ['POST', 'retract'],
        ['POST', 'resend'],
        ['GET', 'signed-pdf'],
      ] as const) {
        const asked = (token: string) =>
          fetch(red.adminUrl(`countersign/services/service/tasks/1/${what}`), {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            ...(method === 'POST' && { body: '{}' }),
          })
        expect((await asked(analyst)).status, `${what}, for one who may only read`).to.equal(401)
        expect((await asked(builder)).status, what).to.equal(409)
      }
    })
  })
}
