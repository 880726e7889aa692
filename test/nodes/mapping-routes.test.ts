/** What the forms of the nodes that map messages ask of Node-RED: a trial of a message, and tables from and to CSV. */
import { globSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { expect } from 'chai'
import type { Trial } from '../../nodes/shared/mapping/try-message.ts'
import { root } from '../support/built.ts'
import { CANARY, isIn } from '../support/canary.ts'
import { anOrder, mdm } from '../support/hl7/an-order.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

const PASSWORD = 'a password of a test'
const HASH = '$2b$04$2oSJKmnCri./8UM4ICuFneYtjPS5z5tXak1Nz..5jEyYiHAnlIeAy'
const adminAuth = {
  type: 'credentials',
  users: [
    { username: 'analyst', password: HASH, permissions: 'read' },
    { username: 'builder', password: HASH, permissions: '*' },
  ],
}
const MAP = {
  documentTypes: { CMS485: { documentTypeId: 101 }, '52030-8': { documentTypeId: 101, templateId: 7 } },
  organizations: { LAKE: '9999901017' },
}
const text = (changes = {}) => Buffer.from(anOrder(changes)).toString()

describe('the forms of nodes that map messages', function () {
  this.timeout(30_000)
  let red: NodeRed
  let builder: string

  before(async () => {
    const logging = { console: { level: 'trace', audit: true } }
    red = await startNodeRed({ settings: { adminAuth, logging } })
    builder = await tokenOf('builder', '*')
  })
  after(() => red?.stop())

  async function tokenOf(username: string, scope: string): Promise<string> {
    const login = { client_id: 'node-red-editor', grant_type: 'password', scope, username, password: PASSWORD }
    const response = await fetch(red.adminUrl('auth/token'), { method: 'POST', body: new URLSearchParams(login) })
    return ((await response.json()) as { access_token: string }).access_token
  }
  const post = (what: string, body: unknown, token = builder) =>
    fetch(red.adminUrl(`countersign/mapping/${what}`), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  const answer = async (what: string, body: unknown) => (await post(what, body)).json()
  const tried = (kind: string, message: string, map: unknown = MAP) =>
    answer('try', { kind, map: JSON.stringify(map), message }) as Promise<Trial>

  it('show what each sample becomes, with where every value comes from', async () => {
    const expected: Record<string, Trial['becomes']> = { 'mdm-t11': 'retract' }
    const samples = globSync('resources/samples/*', { cwd: root })
    expect(samples).to.have.length(6)
    for (const sample of samples) {
      const name = basename(sample, extname(sample))
      const message = readFileSync(join(root, sample), 'utf8')
      const { becomes, fields, reasons } = await tried(sample.endsWith('.hl7') ? 'hl7' : 'fhir', message)
      expect({ becomes, reasons }, name).to.deep.equal({ becomes: expected[name] ?? 'create', reasons: [] })
      if (becomes === 'create')
        expect(
          fields.filter(({ from }) => from === ''),
          name,
        ).to.deep.equal([])
    }
  })

  it('show warnings, what holds a message, and what is wrong with a map', async () => {
    const PID = String(mdm.PID).replace('WC100098', 'WC1')
    expect(await tried('hl7', text({ PID }))).to.deep.include({
      becomes: 'create',
      warnings: ['PID-3(1): is not sent as a medical record number, which has 6 to 10 letters and digits'],
    })
    expect(await tried('hl7', text({ MSH: String(mdm.MSH).replace('T02^MDM_T02', 'T08') }))).to.include({
      becomes: 'replace',
    })
    const NOTHING = { fields: [], warnings: [] }
    expect(await tried('hl7', text({ PID: null }))).to.deep.equal({
      ...NOTHING,
      becomes: 'held',
      reasons: ['PID: no patient'],
    })
    expect(await tried('fhir', 'Rowan')).to.deep.include({ becomes: 'held' })
    expect(await tried('hl7', text(), { ssn: 'always', pdfs: 1 })).to.deep.equal({
      ...NOTHING,
      becomes: 'wrongMap',
      reasons: ['ssn: one of never, last4, full', 'pdfs: there is no such setting'],
    })
    expect(await answer('try', { kind: 'hl7', map: '{', message: text() })).to.deep.include({ becomes: 'wrongMap' })
  })

  it('read tables from CSV and write them', async () => {
    const csv = 'code,documentTypeId,templateId\r\nCMS485,101,7\r\n"a, b",102,\r\n'
    const entries = { CMS485: { documentTypeId: 101, templateId: 7 }, 'a, b': { documentTypeId: 102 } }
    expect(await answer('table-from-csv', { table: 'documentTypes', csv })).to.deep.equal({ entries })
    expect(await answer('csv-from-table', { table: 'documentTypes', entries })).to.deep.equal({ csv })
    expect(await answer('table-from-csv', { table: 'signers', csv: 'id,userNPI\nd1,7' })).to.deep.equal({
      reasons: ['line 2, userNPI: exactly 10 digits'],
    })
    expect(await answer('csv-from-table', { table: 'signers', entries: { d1: '7' } })).to.deep.equal({
      reasons: ['signers.d1: exactly 10 digits'],
    })
  })

  it('are answered only for users who may deploy, and what is too long or no such question is refused', async () => {
    const analyst = await tokenOf('analyst', 'read')
    const body = { kind: 'hl7', map: '{}', message: '' }
    for (const what of ['try', 'table-from-csv', 'csv-from-table']) {
      expect((await post(what, body, analyst)).status, what).to.equal(401)
      expect((await post(what, body, 'another-token')).status, what).to.equal(401)
      expect((await post(what, { ...body, kind: 'cda', table: 'pdf' })).status, what).to.equal(400)
    }
    expect((await post('try', body)).status).to.equal(200)
    const tooLong = await post('try', { ...body, message: 'x'.repeat(4 * 1024 * 1024 + 1) })
    expect([tooLong.status, await tooLong.json()]).to.deep.equal([413, { error: 'TOO_LONG' }])
    expect((await post('try', { ...body, message: 'x'.repeat(6_000_000) })).status).to.equal(413)
  })

  it('keep nothing of a message, log nothing of it, and let nobody cache it', async () => {
    const { family, mrn } = CANARY
    const PID = String(mdm.PID).replace('Rowan', family).replace('WC100098', mrn)
    for (const message of [text({ PID }), text({ PID, TXA: null }), `{"resourceType":"${family}"`]) {
      const response = await post('try', {
        kind: message.startsWith('{') ? 'fhir' : 'hl7',
        map: JSON.stringify(MAP),
        message,
      })
      expect(response.headers.get('cache-control')).to.equal('no-store')
      const { fields, ...others } = (await response.json()) as Trial
      expect(isIn(JSON.stringify(fields), family)).to.equal(fields.length > 0)
      expect(isIn(JSON.stringify(others), family)).to.equal(false)
    }
    expect(red.log.join(''), 'the log tells of the calls').to.contain('try')
    const files = globSync('**/*', { cwd: red.userDir, withFileTypes: true, exclude: ['node_modules'] })
    const kept = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    expect(kept).to.not.have.length(0)
    for (const canary of [family, mrn])
      for (const said of [...red.log, ...kept]) expect(isIn(said, canary)).to.equal(false)
  })
})
