/** spec: Versioning */
import { expect } from 'chai'
import { type Operation, operations } from '../../lib/contract/operations.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('Versioning', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  it('The API version is in the path: /api/v1, and the health check has no version segment', () => {
    for (const [name, { path }] of Object.entries(operations as Record<string, Operation>))
      expect(path.startsWith('/api/v1/'), path).to.equal(name !== 'checkHealth')
  })

  it('Another version is not there', async () => {
    for (const path of ['/api/v2/documenttypes', '/api/documenttypes', '/documenttypes'])
      expect((await service.ask('GET', path)).status).to.equal(404)
  })

  it('All endpoints answer with what they are: no server name, no caching, no content sniffing', async () => {
    const { headers } = await service.ask('GET', '/api/v1/documenttypes')
    expect(headers.get('x-powered-by')).to.equal(null)
    expect(headers.get('cache-control')).to.equal('no-store')
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect(headers.get('access-control-allow-origin')).to.equal(null)
  })
})
