import { expect } from 'chai'
import type { ChainedRow } from '../../server/domain/audit.ts'
import { aFolder } from '../support/a-folder.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { countersign } from '../support/service/served.ts'

describe('the audit log of a service', () => {
  const folder = aFolder()
  let service: TestService
  before(async () => {
    service = await aService({ data: folder })
  })
  after(() => service.stop())

  it('tells who did what to which task: changes, the reading of a document, and what was refused', async function () {
    this.timeout(30_000)
    const { create, reaches, signs, client, other, ask } = service
    const signed = await create(aCreateBody())
    await reaches(signed, 'Pending')
    await signs(signed)
    await client.readTask({ params: { id: signed } })
    await client.readTask({ params: { id: signed }, query: { includeOutputAttachment: true } })
    await client.updateTask({ params: { id: signed }, query: { externalSavedDocumentId: 'S1' } })
    const { headers } = await ask('DELETE', `/api/v1/signature/tasks/${signed}`)
    await other.readTask({ params: { id: signed } }).catch(() => {})
    const { id } = await client.createSubscription({ body: { url: 'https://ehr.example.org/' } })
    await other.deleteSubscription({ params: { id } }).catch(() => {})
    await client.deleteSubscription({ params: { id } })

    const { stdout, code, stderr } = await countersign(['audit', 'export', '--data', folder])
    expect(stderr).to.equal('')
    expect(code).to.equal(0)
    const rows = stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line) as ChainedRow] : []))
    const keyId = service.key.split('_')[2]
    const otherKeyId = service.otherKey.split('_')[2]
    const told = rows
      .filter(({ action }) => /^(task|document|subscription)\./.test(action))
      .map(({ action, actor, actorId, outcome, taskId, subject }) =>
        [action, actor, actorId, outcome, taskId ?? `#${subject}`].join(' '),
      )
    expect(told).to.deep.equal([
      `task.create key ${keyId} done ${signed}`,
      `task.present service  done ${signed}`,
      `task.sign key ${keyId} done ${signed}`,
      `document.read key ${keyId} done ${signed}`,
      `task.record key ${keyId} done ${signed}`,
      `task.retract key ${keyId} refused ${signed}`,
      `task.read key ${otherKeyId} refused ${signed}`,
      `subscription.create key ${keyId} done #${id}`,
      `subscription.delete key ${otherKeyId} refused #${id}`,
      `subscription.delete key ${keyId} done #${id}`,
    ])
    const refused = rows.find(({ action }) => action === 'task.retract')
    expect(refused?.requestId).to.equal(headers.get('x-request-id'))
    expect(refused?.ip).to.match(/127\.0\.0\.1/)
    expect(rows.filter(({ action }) => action === 'key.issue')).to.have.length(2)
  })
})
