/** What no font has is refused, by name, before anything is sealed; all else that can be typed or sent can be signed. */
import { expect } from 'chai'
import type { TaskFile } from '../../../server/operations/operator/messages/tasks.ts'
import type { Opened } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { stampableTexts, unstampableTexts } from '../../support/pdf/names-of-all-scripts.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const TAMIL = 'கமலா'
const PROBLEM = `text without ${unstampableTexts[TAMIL]}, for which the service has no font`

describe('A text that is to be stamped', () => {
  let service: TestService
  let calder: Visit
  before(async () => {
    service = await aService()
    calder = aVisit(service.baseUrl)
    await calder.signInAs('Ruth Calder DO')
  })
  after(() => service.stop())

  const place = { pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 }
  const prefilled = (value: string) =>
    aCreateBody({ document: { annotations: { type: 'Json', data: [{ type: 'TextArea', value, ...place }] } } })
  const path = (taskId: number, rest = '') => `/inbox/api/documents/${taskId}${rest}`

  async function aTask(value: string): Promise<number> {
    const taskId = await service.create(prefilled(value))
    await service.reaches(taskId, 'Pending')
    return taskId
  }

  async function sign(taskId: number, values: Record<number, string> = {}) {
    const { body } = await calder.ask<Opened>('GET', path(taskId))
    const signed = { sha256: body.sha256, values, drawn: null, keep: false, timeZone: 'UTC' }
    return calder.ask('POST', path(taskId, '/sign'), signed)
  }

  it('is refused at create, by field and character, where no font has it', async () => {
    const { status, errors } = await service.ask('POST', '/api/v1/signature/tasks', { body: prefilled(TAMIL) })
    expect(status).to.equal(400)
    expect(errors).to.deep.equal([`document.annotations.data[0].value: ${PROBLEM}`])
  })

  it('is refused when it is typed, and the document goes on waiting', async () => {
    const taskId = await aTask('')
    const refused = await sign(taskId, { 0: TAMIL })
    expect(refused.status).to.equal(400)
    expect(refused.errors).to.deep.equal([`Text on page 1: ${PROBLEM}.`])
    expect((await sign(taskId, { 0: 'Kamala' })).status).to.equal(204)
  })

  it('is refused as the name of a signer or an organization, and the operator is told', async () => {
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const named = { firstName: 'Kamala', lastName: 'Rao', signingName: `${TAMIL} MD`, organizationIds: [1] }
    const provider = await operator.ask('POST', '/admin/v1/providers', { npi: '9999900076', ...named })
    expect([provider.status, provider.errors]).to.deep.equal([400, [`signingName: ${PROBLEM}`]])
    const clinic = { name: TAMIL, npi: null, addresses: [{ postalCode: '55803' }], ingestionEnabled: false }
    const organization = await operator.ask('POST', '/admin/v1/organizations', clinic)
    expect([organization.status, organization.errors]).to.deep.equal([400, [`name: ${PROBLEM}`]])
  })

  it('is told to the operator where it is the name of a patient', async () => {
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const names = [{ family: TAMIL, given: ['Nila'] }]
    const taskId = await service.create(aCreateBody({ patient: { externalId: 'WILLOW|KAMALA', names } }))
    await service.reaches(taskId, 'Pending')
    const notes = async () => (await operator.ask<TaskFile>('GET', `/admin/v1/tasks/${taskId}`)).body.fontNotes
    const expected = [
      `The name of the patient has ${unstampableTexts[TAMIL]}, for which the service has no font. The certificate page has the codes of these characters instead.`,
    ]
    expect(await notes()).to.deep.equal(expected)
    expect((await service.ask('POST', `/sandbox/v1/tasks/${taskId}/sign`)).status).to.equal(204)
    expect(await notes()).to.deep.equal(expected)
  })

  it('may be 2,500 emoji, sent and signed, for both count alike', async () => {
    const taskId = await aTask('😀'.repeat(2500))
    expect((await sign(taskId)).status).to.equal(204)
  })

  it('may hold selectors, joiners and overrides of direction', async () => {
    const taskId = await aTask(stampableTexts.filter((text) => /\p{Cf}|\ufe0f/u.test(text)).join(' '))
    expect((await sign(taskId)).status).to.equal(204)
  })

  it('is known to the page, by the ranges of its characters', async () => {
    const { body } = await calder.ask<{ ranges: number[] }>('GET', '/inbox/api/stampable')
    const has = (codePoint: number) => body.ranges.filter((edge) => edge < codePoint).length % 2 === 1
    expect([has('ł'.codePointAt(0)!), has('க'.codePointAt(0)!)]).to.deep.equal([true, false])
    expect(body.ranges).to.deep.equal([...body.ranges].sort((a, b) => a - b))
  })
})
