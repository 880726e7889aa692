/** `npm run test:long`: 100 orders in the list, signed in one go with the keyboard and on a phone: acts and seconds for each. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { aStack, beginStack, type How, openStack, paceLine, signRest } from '../../support/browser/a-stack.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const ORDERS = 100
/** For each document, without reading. */
const MOST_SECONDS = 3

describe(`${ORDERS} orders that wait for one signer`, function () {
  this.timeout(1_800_000)
  let browser: Browser
  let service: TestService
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  for (const how of ['keyboard', 'phone'] as const satisfies How[])
    it(`are signed with two acts and in less than ${MOST_SECONDS} seconds each (${how})`, async () => {
      const tasks = await aStack(service, ORDERS)
      const inbox = await openStack(browser, service, how)
      await beginStack(inbox)
      const pace = await signRest(inbox, tasks.length, how)
      console.log(paceLine(how, pace))
      for (const task of tasks) await service.reaches(task, 'Completed')
      expect(pace.acts).to.equal(2)
      expect(pace.seconds).to.be.below(MOST_SECONDS)
      expect(inbox.errors).to.deep.equal([])
      await inbox.close()
    })
})
