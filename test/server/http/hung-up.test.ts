/** A create whose sender hangs up while its document is read: it makes no task, because the sender may send the document again. */
import { once } from 'node:events'
import { request } from 'node:http'
import { expect } from 'chai'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

/** More than there are threads that read documents, which read those first that came first. */
const BEFORE = 6
const PAGES = 150

describe('a create whose sender hangs up', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  it('makes no task, neither before nor after the list is looked at', async () => {
    const pages = Array.from({ length: PAGES }, () => ({ content: 'BT /F1 12 Tf 72 700 Td (A long order) Tj ET' }))
    const attachment = Buffer.from(await aPdf(...pages)).toString('base64')
    const bodyOf = (externalDocId: string) => aCreateBody({ document: { attachment, externalDocId } })
    const create = (externalDocId: string) => service.create(bodyOf(externalDocId))

    const others = Array.from({ length: BEFORE }, (_, index) => create(`EHR|BEFORE-${index}`))
    const sent = request(`${service.baseUrl}/api/v1/signature/tasks`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    })
    sent.on('error', () => {}).end(JSON.stringify(bodyOf('EHR|HUNG-UP')))
    await once(sent, 'finish')
    expect(await service.client.listTasks({ query: { externalDocId: 'EHR|HUNG-UP' } })).to.deep.equal([])
    sent.destroy()
    await Promise.all(others)
    await create('EHR|AFTER')
    expect(await service.client.listTasks({ query: { externalDocId: 'EHR|HUNG-UP' } })).to.deep.equal([])
  })
})
