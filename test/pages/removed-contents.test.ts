/** The console of a task whose document and patient retention has removed: what it says, and pictures to look at. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import type { TaskFile } from '../../server/operations/operator/messages/tasks.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { eventually } from '../support/eventually.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const TWO_DAYS = 2 * 24 * 60 * 60

describe('the page of a task whose contents were removed', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(90_000)
  let browser: Browser
  let service: TestService
  let taskId: number
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService({ retain: 1 })])
    taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    await service.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds: TWO_DAYS } })
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    await eventually(async () => {
      const { body } = await operator.ask<TaskFile>('GET', `/admin/v1/tasks/${taskId}`)
      expect(body.task.contentsRemovedAt).to.be.a('string')
    })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  for (const look of looks)
    it(`says what was removed and when, at ${look.width} pixels`, async () => {
      const opened = await visitor(browser, look)
      const { page } = opened
      await page.goto(`${service.baseUrl}/console#/tasks/${taskId}`)
      await page.getByRole('button', { name: 'Service operator' }).click()
      await page.getByRole('heading', { level: 1, name: `Task ${taskId}` }).waitFor()
      await page.getByRole('heading', { name: 'Timeline' }).waitFor()
      await page.getByText('Removed, with the document').waitFor()
      await page.getByText('Document and patient removed, because the task ended long ago').waitFor()
      await goodLook(opened, 'console-task-removed')
      expect(opened.errors).to.deep.equal([])
      await opened.close()
    })
})
