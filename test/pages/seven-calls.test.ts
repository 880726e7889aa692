/** The calls that an operator gets, each answered within a few clicks; `npm run test:long` has them among 100,000 orders. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'
import { type Agencies, someAgencies } from '../support/calls/agencies.ts'
import { Hands } from '../support/calls/hands.ts'
import { atTheDesk, calls, MOST_CLICKS, MOST_SECONDS } from '../support/calls/seven-calls.ts'

describe('a call to the operator of three agencies', function () {
  this.timeout(90_000)
  let browser: Browser
  let agencies: Agencies
  before(async () => {
    ;[browser, agencies] = await Promise.all([openBrowser(), someAgencies()])
  })
  after(async () => {
    await browser?.close()
    await agencies?.stop()
  })

  for (const { asks, walk } of calls)
    it(`“${asks}” takes at most ${MOST_CLICKS} clicks`, async () => {
      const opened = await atTheDesk(browser, agencies)
      const hands = new Hands(opened.page)
      await walk(hands, agencies)
      expect(hands.clicks).to.be.at.most(MOST_CLICKS)
      // Counted from acts, not measured.
      expect(hands.seconds).to.be.at.most(MOST_SECONDS)
      expect(opened.errors).to.deep.equal([])
      await opened.close()
    })
})
