/** The reports of `countersign conform`: the page as people see it, and the XML as a parser reads it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import type { Finding } from '../../../lib/conform/conform.ts'
import { htmlOf } from '../../../lib/conform/report/html.ts'
import { junitOf } from '../../../lib/conform/report/junit.ts'
import { reportOf } from '../../../lib/conform/report/report.ts'
import { aFolder } from '../../support/a-folder.ts'
import { openBrowser, visitor } from '../../support/browser/browser.ts'
import { goodLook, looks } from '../../support/browser/good-look.ts'

/** All that XML and HTML escape or refuse: marks, the end of a CDATA section, controls, half a surrogate pair, a non-character. */
const ODD = `"quoted" & 'so' <b>]]>\u0000\u0008\u001b\ud800\uffff end`
/** The same without the characters that XML refuses. */
const ODD_IN_XML = `"quoted" & 'so' <b>]]>����� end`

const finding = (name: string, result: Finding['result'], why: string | null = null): Finding => ({
  group: `Create ${ODD}`,
  name,
  spec: 'Errors',
  result,
  why,
  exchanges: [
    {
      method: 'POST',
      path: '/api/v1/signature/tasks',
      query: {},
      as: 'first',
      sent: { document: { pages: Array.from({ length: 40 }, (_, page) => page) } },
      status: 400,
      received: { errors: [`document.externalDocId: ${ODD} ${'long'.repeat(60)}`] },
    },
  ],
})

const report = reportOf(
  {
    findings: [
      finding('a create is answered 201', 'holds'),
      finding(`a create ${ODD} is 400`, 'deviates', `answered ${ODD}`),
      finding('fields of a template are accepted', 'not tried', 'the organization of the key has no template'),
    ],
    left: { taskIds: [1001], subscriptionIds: [7, 8] },
  },
  { baseUrl: 'https://sign.example.org', at: new Date(0), secrets: [] },
)

describe('A report of conformance', () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  for (const look of looks)
    it(`as a page, ${look.width} wide: looks good, and runs and loads nothing`, async () => {
      const file = join(aFolder(), 'report.html')
      writeFileSync(file, htmlOf(report))
      const visit = await visitor(browser, look)
      const { page, errors, close } = visit
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(pathToFileURL(file).href)
      expect(await page.locator('.counts li').allTextContents()).to.deep.equal([
        '1 deviates',
        '1 could not be tried',
        '1 holds',
      ])
      expect(await page.textContent('.left')).to.equal('Still at the host: task 1001; subscriptions 7, 8.')
      expect(await page.locator('summary').first().textContent()).to.equal(`Deviates a create ${ODD_IN_XML} is 400`)
      expect(await page.locator('details[open]').count()).to.equal(1)
      await goodLook(visit, 'conformance-report')
      expect(errors).to.deep.equal([])
      expect(asked).to.deep.equal([pathToFileURL(file).href])
      await close()
    })

  it('as JUnit: is well-formed, and says the same', async () => {
    const { page, close } = await visitor(browser)
    const read = await page.evaluate(readJunit(junitOf(report)))
    expect(read).to.deep.equal({
      error: null,
      totals: ['3', '1', '0', '1'],
      suite: `Create ${ODD_IN_XML}`,
      cases: ['a create is answered 201', `a create ${ODD_IN_XML} is 400`, 'fields of a template are accepted'],
      failure: `answered ${ODD_IN_XML} (Errors)`,
      skipped: 'the organization of the key has no template (Errors)',
    })
    await close()
  })
})

/** Runs in the browser, whose parser of XML forgives nothing. */
const readJunit = (xml: string) => `(() => {
  const parsed = new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml')
  const attribute = (selector, name) => parsed.querySelector(selector)?.getAttribute(name)
  return {
    error: parsed.querySelector('parsererror')?.textContent ?? null,
    totals: ['tests', 'failures', 'errors', 'skipped'].map((name) => attribute('testsuites', name)),
    suite: attribute('testsuite', 'name'),
    cases: [...parsed.querySelectorAll('testcase')].map((row) => row.getAttribute('name')),
    failure: attribute('failure', 'message'),
    skipped: attribute('skipped', 'message'),
  }
})()`
