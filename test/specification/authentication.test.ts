/** spec: Authentication */
import { expect } from 'chai'
import { type Operation, operations } from '../../lib/contract/operations.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const keyed = Object.entries(operations as Record<string, Operation>).filter(([, row]) => !row.public)

describe('Authentication', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  const ask = ({ method, path, body }: Operation, key: string | null) =>
    service.ask(method.toUpperCase(), path.replace(':npi', '9999900019').replace(':id', '1001'), {
      key,
      ...(body && { body: {} }),
    })

  for (const [name, row] of keyed) {
    it(`1. ${name} requires x-api-key; 401 when it is missing (choice: Missing and unknown keys)`, async () => {
      for (const key of [null, '']) {
        const { status, errors } = await ask(row, key)
        expect({ status, errors }).to.deep.equal({
          status: 401,
          errors: ['x-api-key: required; the API key of your organization'],
        })
      }
    })

    it(`4. ${name}: 403 when the key is unknown (choice: Missing and unknown keys)`, async () => {
      const other = await aKeyOfAnotherService()
      for (const key of ['nonsense', other, `${service.key.slice(0, -1)}!`, 'a'.repeat(5000)]) {
        const { status, errors } = await ask(row, key)
        expect({ status, errors }).to.deep.equal({ status: 403, errors: ['x-api-key: this key is not known here'] })
      }
    })
  }

  let foreign: string | undefined
  async function aKeyOfAnotherService(): Promise<string> {
    if (foreign) return foreign
    const other = await aService()
    foreign = other.key
    await other.stop()
    return foreign
  }

  it('The key is proved before the request is read: a wrong body without a key is 401', async () => {
    const { status } = await service.ask('POST', '/api/v1/signature/tasks', {
      key: null,
      raw: '{',
      headers: { 'content-type': 'text/xml' },
    })
    expect(status).to.equal(401)
  })

  it('A key in the URL is none', async () => {
    expect((await service.ask('GET', `/api/v1/documenttypes?x-api-key=${service.key}`, { key: null })).status).to.equal(
      401,
    )
  })

  it('A key sent twice is none', async () => {
    const headers = new Headers({ 'x-api-key': service.key })
    headers.append('x-api-key', service.key)
    const { status } = await fetch(`${service.baseUrl}/api/v1/documenttypes`, { headers })
    expect(status).to.equal(403)
  })

  it('2. All reads and writes are scoped to the organization of the key', async () => {
    const taskId = await service.create(aCreateBody())
    const { status } = await service.ask('GET', `/api/v1/signature/tasks/${taskId}`, { key: service.otherKey })
    expect(status).to.equal(404)
    expect(await service.other.listTasks()).to.deep.equal([])
  })

  it('6. Environments: the control plane of a sandbox needs the same key, and production has none', async () => {
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    const sign = `/sandbox/v1/tasks/${taskId}/sign`
    expect((await service.ask('POST', sign, { key: null, body: {} })).status).to.equal(401)
    expect((await service.ask('POST', sign, { key: service.otherKey, body: {} })).status).to.equal(409)
    expect((await service.ask('POST', sign, { body: {} })).status).to.equal(204)
    const production = await aService({ sandbox: false })
    try {
      expect((await production.ask('POST', sign, { body: {} })).status).to.equal(404)
      const crossing = await production.ask('GET', '/api/v1/documenttypes', { key: service.key })
      expect(crossing.status).to.equal(403)
    } finally {
      await production.stop()
    }
  })
})
