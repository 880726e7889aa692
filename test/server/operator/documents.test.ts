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
        const theirs = await service.other.listTasks()
        expect(theirs).to.deep.equal([])
      } finally {
        await service.stop()
      }
    })
})
