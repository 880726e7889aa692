/** Letting a colleague sign, in a browser: allowed by the operator, given by the signer, used by the colleague, ended in the console. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { aVisit } from '../../support/browser/a-visit.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { goodLook, looks } from '../../support/browser/good-look.ts'
import { openInbox } from '../../support/browser/inbox-page.ts'
import { keptDrafts } from '../../support/browser/kept-drafts.ts'
import { eventually } from '../../support/eventually.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

/** Nothing else on the pages has this word. */
const TEXT = 'Zyx wound check on Mondays.'
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
    await calder.button('Delegate').click()
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
    await voss.page.getByLabel('Save for next time').uncheck()
    await voss.button('Use this signature').click()
    await voss.ready()
    const guide = voss.page.getByRole('region', { name: 'Sign this document' })
    const said = (await guide.getByText(`You sign for ${CALDER}`).boundingBox())!
    expect([said.y >= 0, said.y + said.height <= voss.page.viewportSize()!.height], 'in sight').to.deep.equal([
      true,
      true,
    ])
    await goodLook(voss, 'document-of-a-colleague')
    await voss.sign()
    await voss.said('signed')

    await calder.page.getByRole('link', { name: 'Signed' }).click()
    await calder.page.getByText(`by ${VOSS}`).waitFor()
    await goodLook(console, 'organization-with-delegation')
    await console.button(`End: ${VOSS} for ${CALDER}`).click()
    await console.page.getByText('No one is signing for anyone else now.').waitFor()
    for (const one of [console, calder, voss]) {
      expect(one.errors).to.deep.equal([])
      await one.close()
    }
  })

  it('leaves the colleague nothing of a draft when it ends, and the signer the document as it was sent', async () => {
    const [operator, giver] = [aVisit(service.baseUrl), aVisit(service.baseUrl)]
    await Promise.all([operator.signInAs('Service operator'), giver.signInAs(CALDER)])
    await operator.ask('PATCH', `/admin/v1/organizations/${harbor}`, { allowsDelegation: true })
    const times = { startsAt: new Date(), endsAt: new Date(Date.now() + 3_600_000) }
    const made = { delegateNpi: VOSS_NPI, organizationId: harbor, ...times }
    const { body } = await giver.ask<{ id: number }>('POST', '/inbox/api/delegations', made)
    const [inTray, drafted] = [await aWaitingOrder(service), await aWaitingOrder(service)]

    const inbox = await inboxOf(VOSS)
    const { page } = inbox
    const open = async (taskId: number) => {
      await page.goto(`${service.service.inboxUrl}#/documents/${taskId}`)
      await page.locator('.sheet[data-drawn]').first().waitFor()
    }
    const write = () => inbox.field('TextArea').locator('textarea').fill(TEXT)
    const sign = async () => {
      await inbox.field('CheckBox').click()
      await inbox.button('Sign here').click()
      await inbox.draw()
      await inbox.button('Use this signature').click()
      await inbox.ready()
    }
    await open(inTray)
    await write()
    await sign()
    // All of the page has to have been in sight.
    for (let seen = 0; seen < 6; seen++) {
      await page.mouse.wheel(0, 250)
      await page.evaluate('new Promise(requestAnimationFrame)')
    }
    await inbox.button('Add to tray').click()
    await page.getByRole('link', { name: 'Tray 1' }).waitFor()
    await open(drafted)
    await write()
    await eventually(async () =>
      expect((await keptDrafts(page)).map(({ taskId }) => taskId)).to.have.members([inTray, drafted]),
    )

    await giver.ask('POST', `/inbox/api/delegations/${body.id}/end`)
    await page.getByText(`This document is no longer waiting for you: you no longer sign for ${CALDER}.`).waitFor()
    expect(await page.content()).not.to.match(/Zyx|Whitfield/)
    await eventually(async () => expect(await keptDrafts(page)).to.deep.equal([]))
    await page.goto(`${service.service.inboxUrl}#/tray`)
    await page.getByText('The tray is empty.').waitFor()
    await page.goto(`${service.service.inboxUrl}#/documents/${drafted}`)
    await page.reload()
    await page.getByText(`Document ${drafted} does not wait for you, or no longer does.`).waitFor()

    // Nobody asks about drafts, as there are none.
    await inbox.button('Sign out').click()
    await page.getByText('You are signed out.').waitFor()
    await inbox.signInAs(CALDER)
    await open(drafted)
    expect(await inbox.field('TextArea').locator('textarea').inputValue()).to.equal('Continue as ordered.')
    await sign()
    await inbox.sign()
    await inbox.said('Signed:')
    await service.reaches(drafted, 'Completed')
    await inbox.close()
  })
})
