/** `countersign record` and `serve --replay`: what they refuse, and what becomes of calls that cannot be recorded. */
import { readdirSync } from 'node:fs'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { countersign, listening, type Served, serve } from '../../support/service/served.ts'

const TYPES = '/api/v1/documenttypes'

describe('countersign record', function () {
  this.timeout(120_000)
  const folder = join(aFolder(), 'recording')
  let host: Server
  let recorder: Served
  const asked: string[] = []

  before(async () => {
    host = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`)
      if (request.url?.endsWith('/health-check')) return void response.socket?.destroy()
      response.setHeader('content-type', 'application/json')
      response.end(
        request.url === `/at${TYPES}` ? '[{"id":104,"name":"Order of Alma","category":""}]' : '{"name":"Alma"}',
      )
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/at/`
    recorder = await listening(['record', '--url', url, '--listen', '0', '--out', folder])
  })
  after(() => host.close())

  /** What the recorder answers to a request for this target, as it stands. */
  const statusFor = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(recorder.baseUrl)
      get({ hostname, port, path }, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
    })

  it('passes everything on as it came, and writes down what the interface has', async () => {
    const headers = { 'x-api-key': 'a-key' }
    const answer = await fetch(recorder.baseUrl + TYPES, { headers })
    expect(await answer.json()).to.deep.equal([{ id: 104, name: 'Order of Alma', category: '' }])
    const other = await fetch(`${recorder.baseUrl}/patients/alma`, { headers })
    expect(await other.json()).to.deep.equal({ name: 'Alma' })
    const lost = await fetch(`${recorder.baseUrl}/health-check`)
    expect([lost.status, await lost.json()]).to.deep.equal([
      502,
      { errors: ['The host that is recorded gave no answer.'] },
    ])
    expect(await statusFor('@other.example.org/')).to.equal(400)
    expect(asked.slice(0, 2)).to.deep.equal([`GET /at${TYPES} a-key`, 'GET /at/patients/alma a-key'])
    expect(await recorder.stop()).to.equal(0)
    expect(JSON.parse(recorder.lines().at(-1)!)).to.deep.equal({ exchanges: 1, withheld: 1, unrecorded: 2 })
    expect(readdirSync(folder)).to.deep.equal(['000001-listDocumentTypes.json', 'recording.json'])
    expect(recorder.log())
      .to.match(/ECONNRESET/)
      .and.not.match(/alma/i)
  })

  it('takes a URL without a key, and a port', async () => {
    const at = ['--listen', '0', '--out', join(folder, 'other')]
    const url = await countersign(['record', '--url', 'https://host.example.org?key=secret', ...at])
    expect(url.stderr)
      .to.match(/--url: where the host is/)
      .and.not.include('secret')
    const port = await countersign(['record', '--url', 'https://host.example.org', '--listen', '70000', '--out', 'x'])
    expect(port.stderr).to.include('--listen: a whole number from 0 to 65535')
  })

  describe('and serve --replay', () => {
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await countersign(['serve', '--port', '0', '--replay', ...args])
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' })
      return stderr
    }

    it('answers what was recorded, and says which calls were when there is no such call', async () => {
      const served = await serve(['--replay', folder])
      try {
        expect(served).to.deep.include({ mode: 'replay', apiKeys: [] })
        const types = await fetch(served.baseUrl + TYPES)
        expect(await types.json()).to.deep.equal([{ id: 104, name: 'name-1', category: '' }])
        const missing = await fetch(`${served.baseUrl}/api/v1/users/providers/9999900019`)
        expect(missing.status).to.equal(404)
        expect(await missing.json()).to.deep.equal({
          errors: ['The recording holds no findProvider. It holds listDocumentTypes.'],
        })
        await eventually(() => expect(served.log()).to.match(/no recorded call matches/))
        expect(served.log()).to.not.include('9999900019')
      } finally {
        await served.stop()
      }
    })

    it('refuses a folder that is no recording, before it listens', async () => {
      expect(await refused(aFolder())).to.include('--replay: This is no recording: recording.json is missing.')
    })

    it('refuses options that have no meaning for it', async () => {
      const stderr = await refused(folder, '--data', ':memory:', '--sandbox')
      expect(stderr).to.include('--replay: not together with --sandbox, --data')
    })
  })
})
