/** The whole run of what test/pages/desk/preview.test.ts takes a sample of: names and values in all scripts, in a browser. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../support/browser/browser.ts'
import { expectedOf, type Outcomes, sealedAsSeen } from '../../support/browser/sealed-as-seen.ts'
import { stampableTexts, unstampableTexts } from '../../support/pdf/names-of-all-scripts.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const TEXTS = [...stampableTexts, ...Object.keys(unstampableTexts)]

describe(`${TEXTS.length} names and values`, function () {
  this.timeout(3_600_000)
  let browser: Browser
  let service: TestService
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('are sealed as they were seen, or refused before that, as the name of a signer, typed and pre-filled', async () => {
    const becomes = await sealedAsSeen(service, browser)
    const counts: Record<string, number> = {}
    for (const [number, text] of TEXTS.entries()) {
      const outcomes: Outcomes = await becomes(text, number)
      expect(outcomes, text).to.deep.equal(expectedOf(text))
      for (const [use, outcome] of Object.entries(outcomes)) {
        const kind = `${use}: ${outcome}`
        counts[kind] = (counts[kind] ?? 0) + 1
      }
    }
    for (const [kind, count] of Object.entries(counts).sort()) console.log(`      ${kind}: ${count}`)
  })
})
