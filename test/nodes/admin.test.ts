/** What the editor asks of a deployed service, at the admin roots that operators use, with and without their passwords. */
import { existsSync } from 'node:fs'
import { expect } from 'chai'
import type { Row } from '../../nodes/shared/trial/row.ts'
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
      process.env.SERVICE_OF_A_TEST = service.baseUrl
      red = await startNodeRed({ adminRoot })
      await red.deploy([...flow(service.node(), ...(await others()))])
    })
    after(async () => {
      await red?.stop()
      await service?.stop()
      delete process.env.SERVICE_OF_A_TEST
    })

    /** Services in every state that a test button may find. */
    const others = async (): Promise<FlowNode[]> => [
      { ...host(service.baseUrl), id: 'refused' },
      { ...host(`http://127.0.0.1:${await freePort()}`), id: 'nobody' },
      { ...host(service.baseUrl, { credentials: {} }), id: 'keyless' },
      { ...host(`${service.baseUrl}/elsewhere`, { credentials: { apiKey: service.apiKey } }), id: 'elsewhere' },
      { ...embedded(), id: 'simulated' },
      { ...embedded({ publicUrl: 'https://sign.example.org/', data: `${red.userDir}/other` }), id: 'published' },
    ]
    const ask = (id: string, what: string, token?: string) =>
      fetch(red.adminUrl(`countersign/services/${id}/${what}`), {
        headers: token ? { authorization: `Bearer ${token}` } : {},
      })
    const answer = async (id: string, what: string) => (await ask(id, what)).json()
    const tryOut = (id: string, body: unknown, token?: string) =>
      fetch(red.adminUrl(`countersign/services/${id}/test`), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
    /** What a trial of typed settings finds, as `what: true` or `what: advice`. */
    const trial = async (id: string, { credentials, ...properties }: Partial<FlowNode>, apiKey?: string) => {
      const rows = (await (await tryOut(id, { properties, apiKey })).json()) as Row[]
      return Object.fromEntries(rows.map(({ what, ok, advice }) => [what, ok || advice]))
    }

    it('are answered by the service as it is deployed', async () => {
      const types = (await answer('service', 'document-types')) as { id: number; name: string }[]
      expect(types.find(({ id }) => id === 104)).to.include({ name: 'Physician Order (verbal)' })
      const templates = (await answer('service', 'templates')) as object[]
      expect(templates[0]).to.include.keys('templateId', 'summary')
    })

    it('try the settings that are typed, with the key that is typed or the stored one', async () => {
      const typed = host(service.baseUrl)
      expect(await trial('service', typed)).to.deep.equal({ health: true, key: true, clock: true })
      expect(await trial('never-deployed', typed, service.apiKey)).to.include({ health: true, key: true })
      expect((await trial('service', typed, 'another')).key).to.match(/refuses the key. Enter the API key/)
      expect((await trial('refused', typed)).key).to.match(/refuses the key/)
      const elsewhere = { ...typed, baseUrl: `${service.baseUrl}/elsewhere` }
      expect((await trial('service', elsewhere)).health).to.match(/not as a signature host does \(status 404\)/)
      const nobody = { ...typed, baseUrl: `http://127.0.0.1:${await freePort()}` }
      expect((await trial('service', nobody)).health).to.match(/^Nothing is listening .* \(ECONNREFUSED\)\.$/)
    })

    it('name everything that is wrong with typed settings by its label, and call nobody', async () => {
      const rows = (await (
        await tryOut('keyless', { properties: { ...host('http://sign.example.org'), profile: '[]', tls: 'gone' } })
      ).json()) as Row[]
      expect(rows.map(({ what, ok }) => `${what} ${ok}`)).to.deep.equal(Array(rows.length).fill('settings false'))
      const advice = rows.map((row) => row.advice).join(' ')
      for (const words of ['Base URL (baseUrl)', 'host profile is wrong', 'TLS configuration'])
        expect(advice).to.contain(words)
    })

    it('fill in the environment variables of typed settings', async () => {
      expect(await trial('service', { ...host('$' + '{SERVICE_OF_A_TEST}') })).to.include({ health: true, key: true })
      expect((await trial('service', host('$' + '{NO_SUCH_VARIABLE}'))).settings).to.contain('Base URL')
    })

    it('try the port and the folder of an embedded service, and start nothing', async () => {
      expect(await trial('simulated', embedded())).to.deep.equal({ port: true, folder: true, key: true })
      const { port } = new URL(service.baseUrl)
      const taken = await trial('simulated', embedded({ port, data: `${red.userDir}/settings.js/data` }))
      expect(taken.port).to.contain(`Port (port): ${port} is in use`)
      expect(taken.folder).to.contain('Folder (data)')
      const next = await trial('simulated', embedded({ port: String(await freePort()), data: `${red.userDir}/new` }))
      expect(next).to.deep.equal({ port: true, folder: true, running: true })
      expect(existsSync(`${red.userDir}/new`)).to.equal(false)
      for (const [property, value] of [
        ['bindHost', 'example.org'],
        ['publicUrl', 'http://sign.example.org'],
      ] as const)
        expect((await trial('simulated', embedded({ [property]: value }))).settings).to.contain(`(${property})`)
      expect((await trial('simulated', embedded({ bindHost: '192.0.2.1', port: '8091' }))).port).to.contain(
        '(bindHost)',
      )
    })

    it('tell where the pages of an embedded service are, for the browser that asks', async () => {
      const { inbox, ...more } = (await answer('simulated', 'pages?from=localhost')) as Record<string, string>
      expect(more.console).to.equal(inbox?.replace('/inbox', '/console'))
      expect((await fetch(inbox!)).status).to.equal(200)
      expect(await answer('simulated', 'pages?from=red.example.org')).to.deep.equal({
        runs: true,
        inbox: null,
        console: null,
      })
      expect(await answer('published', 'pages?from=red.example.org')).to.include({
        inbox: 'https://sign.example.org/inbox',
        console: 'https://sign.example.org/console',
      })
      expect(await answer('service', 'pages?from=localhost')).to.include({ runs: false, inbox: null })
    })

    it('are refused with 503 and the reason when nobody can answer them', async () => {
      for (const [id, what, error] of [
        ['nobody', 'templates', 'ECONNREFUSED'],
        ['keyless', 'document-types', 'NO_KEY'],
        ['refused', 'document-types', 'UNAUTHORIZED'],
        ['not-deployed', 'pages', 'NOT_DEPLOYED'],
        ['tab', 'templates', 'NOT_DEPLOYED'],
      ] as const) {
        const response = await ask(id, what)
        expect([response.status, await response.json()], id).to.deep.equal([503, { error }])
      }
    })

    it('are never kept by a cache, and never answered with a key', async () => {
      const trials = [tryOut('service', { properties: host(service.baseUrl) }), tryOut('service', {})]
      for (const asked of [
        ...['pages', 'document-types', 'templates', 'tasks'].map((what) => ask('service', what)),
        ...trials,
      ]) {
        const response = await asked
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
      const typed = { properties: host(service.baseUrl) }
      expect((await tryOut('service', typed)).status).to.equal(401)
      expect((await tryOut('service', typed, analyst)).status, 'the stored key goes where they say').to.equal(401)
      expect((await tryOut('service', typed, builder)).status).to.equal(200)
      for (const what of ['pages', 'document-types', 'templates', 'tasks']) {
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
