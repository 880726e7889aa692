/** Letting a colleague sign, in a browser: allowed by the operator, given by the signer, used by the colleague, ended in the console. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { aVisit } from '../../support/browser/a-visit.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { goodLook, looks } from '../../support/browser/good-look.ts'
import { openInbox } from '../../support/browser/inbox-page.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

const [CALDER, VOSS, VOSS_NPI] = ['Ruth Calder DO', 'Ian Voss MD', '9999900018'] as const

describe('letting a colleague sign, in a browser', function () {
  this.timeout(90_000)
  let browser: Browser
  let service: TestService
  let harbor: number
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const { body } = await operator.ask<{ id: number; name: string }[]>('GET', '/admin/v1/organizations')
    harbor = body.find(({ name }) => name === 'Harbor Internal Medicine')!.id
    await operator.ask('PATCH', `/admin/v1/providers/${VOSS_NPI}`, { organizationIds: [harbor] })
    await aWaitingOrder(service)
    await aWaitingOrder(service, { signer: VOSS_NPI })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const inboxOf = async (name: string, look = {}) => {
    const inbox = await openInbox(browser, service, look)
    await inbox.signInAs(name)
    return inbox
  }

  it('is allowed, given for some days, marked and filtered in the list, signed on behalf, and ended', async () => {
    const [wide, narrow] = looks
    const console = await openInbox(browser, { service: { inboxUrl: `${service.baseUrl}/console` } }, wide)
    await console.signInAs('Service operator')
    await console.page.goto(`${service.baseUrl}/console#/organizations/${harbor}`)
    await console.page.getByLabel('Signers may let a colleague sign for them').click()
    await console.said('may let a colleague sign')

    const calder = await inboxOf(CALDER, narrow)
    await calder.page.getByRole('link', { name: 'Delegation' }).click()
    await calder.page.getByLabel('Colleague').selectOption({ label: `${VOSS} (Harbor Internal Medicine)` })
    await calder.page.getByLabel('Last day').fill(await calder.page.getByLabel('First day').inputValue())
    await calder.button('Let them sign').click()
    await calder.said('Your colleague can sign for you')
    await calder.page.getByText(`${VOSS} for ${CALDER}`).waitFor()
    await goodLook(calder, 'delegation')

    const voss = await inboxOf(VOSS, wide)
    const lines = voss.page.locator('a.document')
    const marks = voss.page.getByText(`for ${CALDER}`, { exact: true })
    await marks.waitFor()
    expect(await lines.count()).to.equal(2)
    await goodLook(voss, 'inbox-with-delegation')
    await voss.page.getByLabel('Whose documents').selectOption({ label: 'My own' })
    expect([await lines.count(), await marks.count()]).to.deep.equal([1, 0])
    await voss.page.getByLabel('Whose documents').selectOption({ label: `For ${CALDER}` })
    expect([await lines.count(), await marks.count()]).to.deep.equal([1, 1])

    await lines.first().click()
    await voss.page.getByText(`You sign for ${CALDER}`).waitFor()
    await voss.field('CheckBox').click()
    await voss.button('Sign here').click()
    await voss.draw()
    await voss.button('Use this signature').click()
    await voss.ready()
    await goodLook(voss, 'document-of-a-colleague')
    await voss.button('Sign document').click()
    await voss.said('signed')

    await calder.page.getByRole('link', { name: 'Signed' }).click()
    await calder.page.getByText(`by ${VOSS}`).waitFor()
    await goodLook(console, 'organization-with-delegation')
    await console.button(`End: ${VOSS} for ${CALDER}`).click()
    await console.page.getByText('Nobody signs for anybody else at present.').waitFor()
    for (const one of [console, calder, voss]) {
      expect(one.errors).to.deep.equal([])
      await one.close()
    }
  })
})
