/** The pages of two teams that share a process: each names its team, and leads to the other, where the same person stays signed in. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { optionsOf, startTeams, type TeamServices } from '../../server/cli/serving/teams.ts'
import { checkedSettings } from '../../server/settings.ts'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { sharedPool } from '../support/pdf/shared-pool.ts'
import { createOverheard } from '../support/service/a-service.ts'

describe('the pages of teams that share a sandbox', function () {
  this.timeout(60_000)
  let browser: Browser
  let teams: TeamServices
  before(async () => {
    const given = { port: 0, data: ':memory:', sandbox: true, seed: 'demo' } as const
    const options = optionsOf(['north', 'south'], checkedSettings(given), { ...given, createPool: sharedPool })
    ;[browser, teams] = await Promise.all([openBrowser(), startTeams(options, createOverheard)])
  })
  after(async () => {
    await browser?.close()
    await teams?.stop()
  })

  for (const look of looks)
    it(`lead to each other, ${look.width} wide`, async () => {
      const [north, south] = teams.services.map(({ baseUrl }) => baseUrl)
      const visit = await visitor(browser, look)
      const { page } = visit
      const signIn = () => page.getByRole('button', { name: 'Service operator' }).click()
      const here = (team: string) => page.getByRole('navigation', { name: 'Teams' }).getByRole('link', { name: team })
      await page.goto(north!)
      await page.getByText('This sandbox is theirs.').waitFor()
      await visit.shoot('home-of-a-team')
      expect(await accessibilityFaults(page)).to.deep.equal([])
      await page.getByRole('link', { name: 'Team south' }).click()
      await page.waitForURL(`${south}/`)
      await page.getByRole('link', { name: 'Team north' }).waitFor()

      await page.goto(`${north}/sandbox`)
      await signIn()
      await here('Team north').waitFor()
      expect(await here('Team north').getAttribute('aria-current')).to.equal('true')
      await page.getByRole('heading', { name: 'Clock' }).waitFor()
      await goodLook(visit, 'room-of-a-team')
      await here('Team south').click()
      await page.waitForURL(`${south}/sandbox`)
      await signIn()
      await here('Team north').click()
      await page.waitForURL(`${north}/sandbox`)
      await page.getByRole('heading', { name: 'Clock' }).waitFor()
      expect(visit.errors).to.deep.equal([])
      await visit.close()
    })
})
