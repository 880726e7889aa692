/** The PDF of a task in the console: only where the service is set so, and each that is opened is audited. */
import { expect } from 'chai'
import type { TaskFile } from '../../../server/operations/operator/messages/tasks.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService } from '../../support/service/a-service.ts'

describe('documents in the console', function () {
  this.timeout(60_000)
  for (const [staffDocuments, mayOpen] of [
    ['none', []],
    ['signed', ['signed']],
    ['all', ['received', 'signed']],
  ] as const)
    it(`are opened as the setting ${staffDocuments} says, and named in the story`, async () => {
      const service = await aService({ staffDocuments })
      try {
        const taskId = await service.create(aCreateBody())
        await service.reaches(taskId, 'Pending')
        await service.signs(taskId)
        for (const who of ['Service operator', 'Willow Creek administrator']) {
          const visit = aVisit(service.baseUrl)
          await visit.signInAs(who)
          const read = async () => (await visit.ask<TaskFile>('GET', `/admin/v1/tasks/${taskId}`)).body
          expect([...(await read()).documents].sort()).to.deep.equal(mayOpen)
          const before = (await read()).story.filter(({ kind }) => kind === 'document.view').length
          for (const kind of ['received', 'signed'] as const) {
            const { status, bytes, headers } = await visit.ask('GET', `/admin/v1/tasks/${taskId}/documents/${kind}`)
            const isOpen = mayOpen.some((one) => one === kind)
            expect(status).to.equal(isOpen ? 200 : 403)
            if (!isOpen) continue
            expect(bytes.subarray(0, 5).toString()).to.equal('%PDF-')
            expect(headers.get('content-disposition')).to.match(/^inline/)
            expect(headers.get('content-security-policy'))
              .to.include("default-src 'none'")
              .and.to.include("frame-ancestors 'self'")
          }
          const views = (await read()).story.filter(({ kind }) => kind === 'document.view').slice(before)
          expect(views).to.have.length(mayOpen.length)
          for (const { sentence } of views) expect(sentence).to.match(new RegExp(`opened in the console by ${who}\\.$`))
          const unknown = await visit.ask('GET', `/admin/v1/tasks/999999/documents/signed`)
          expect(unknown.status).to.equal(staffDocuments === 'none' ? 403 : 404)
        }
        const other = aVisit(service.baseUrl)
        await other.signIn(await administratorElsewhere(service.baseUrl), PASSWORD)
        for (const kind of ['received', 'signed']) {
          const { status } = await other.ask('GET', `/admin/v1/tasks/${taskId}/documents/${kind}`)
          expect(status, 'of another organization').to.equal(mayOpen.some((one) => one === kind) ? 404 : 403)
        }
      } finally {
        await service.stop()
      }
    })
})

const PASSWORD = 'correct horse battery staple'

/** Adds an administrator of another organization than the one that has sent the task; returns the e-mail address. */
async function administratorElsewhere(baseUrl: string): Promise<string> {
  const operator = aVisit(baseUrl)
  await operator.signInAs('Service operator')
  const organizations = (await operator.ask<{ id: number; name: string }[]>('GET', '/admin/v1/organizations')).body
  const { id: organizationId } = organizations.find(({ name }) => name === 'Northfield Hospice')!
  const email = 'ada@northfield.example'
  const account = { email, name: 'Ada', role: 'administrator', organizationId, password: PASSWORD }
  expect((await operator.ask('POST', '/admin/v1/accounts', account)).status).to.equal(201)
  return email
}
