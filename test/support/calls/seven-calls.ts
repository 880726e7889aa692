/** The calls that an operator gets, and what is done in the console about each of them, from its first page. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Opened, visitor } from '../browser/browser.ts'
import { eventually } from '../eventually.ts'
import { type Agencies, type Ending, PATIENT, WITHOUT_PHONE } from './agencies.ts'
import type { Hands } from './hands.ts'

export const MOST_CLICKS = 5
export const MOST_SECONDS = 30

export interface Call {
  asks: string
  /** Leads to the answer, or to the end of what is asked for. */
  walk(hands: Hands, agencies: Agencies): Promise<void>
}

const heading = ({ page }: Hands, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const find = async (hands: Hands, words: string) => {
  await hands.press('/')
  await hands.page.locator('search input:focus').waitFor()
  await hands.type(words)
  await hands.press('Enter')
}

/** Whose act the outcome of each order was. */
const outcomes: Readonly<Record<Ending, string>> = {
  delegated: 'Signed by Ian Voss MD for Ruth Calder DO.',
  scripted: 'Signed by the demo script of Helen Marsh MD, not by a person.',
  rejected: 'Rejected by the demo script of Owen Tate NP, not by a person: Not my patient.',
  cancelled: 'Cancelled by Service operator: Sent in error.',
}

export const calls: readonly Call[] = [
  {
    asks: 'Where is the order of our patient?',
    async walk(hands, { tasks }) {
      const { family, birthDate, given } = PATIENT
      await find(hands, `${given[0]} ${family} ${birthDate}`.toLowerCase())
      await hands.reads(heading(hands, `Task ${tasks.ofPatient}`))
      await hands.reads(hands.page.getByText('Completed').first())
    },
  },
  {
    asks: 'Why does our archive get no callbacks?',
    async walk(hands) {
      const { page } = hands
      await hands.click(page.getByRole('navigation').getByRole('link', { name: 'Receivers' }))
      await hands.click(page.getByRole('link', { name: 'Willow archive' }))
      await heading(hands, 'Willow archive').waitFor()
      // What waits while the receiver is paused has no attempts yet.
      await hands.click(page.locator('td summary').filter({ hasNotText: /^0$/ }).first())
      await hands.reads(page.getByText('refused, answer 500').first())
      await hands.reads(page.locator('code.answer'))
    },
  },
  ...(Object.keys(outcomes) as Ending[]).map((ending) => ({
    asks: `Who signed this order, and when? (${ending})`,
    async walk(hands: Hands, { tasks }: Agencies) {
      await find(hands, `${tasks[ending]}`)
      await heading(hands, `Task ${tasks[ending]}`).waitFor()
      const facts = hands.page.getByRole('region', { name: 'Task', exact: true })
      await hands.reads(facts.getByText(outcomes[ending], { exact: true }))
      const act = hands.page.getByRole('listitem').filter({ hasText: outcomes[ending] })
      await hands.reads(act.locator('time'))
    },
  })),
  {
    asks: 'Send yesterday evening again, to our EHR only.',
    async walk(hands, { ehr, archive }) {
      const { page } = hands
      const [before, ofArchive] = [ehr.received.length, archive.received.length]
      await hands.click(page.getByRole('navigation').getByRole('link', { name: 'Receivers' }))
      await hands.click(page.getByRole('link', { name: 'Willow EHR' }))
      await hands.click(page.getByRole('button', { name: 'Yesterday evening' }))
      await hands.reads(page.getByText(/callbacks would go out/))
      await hands.click(page.getByRole('button', { name: 'Resend', exact: true }))
      await hands.click(page.getByRole('dialog').getByRole('button', { name: /^Resend/ }))
      await hands.reads(page.getByText(/queued to go out now/))
      await eventually(() => expect(ehr.received.length).to.be.above(before))
      expect(
        archive.received.slice(ofArchive).map(({ headers }) => headers['x-service-event-id']),
      ).not.to.include.members(ehr.received.slice(before).map(({ headers }) => headers['x-service-event-id']))
    },
  },
  {
    asks: 'I have lost my phone, and cannot sign in.',
    async walk(hands) {
      const { page } = hands
      await hands.click(page.getByRole('navigation').getByRole('link', { name: 'Settings' }))
      await hands.click(page.getByRole('link', { name: 'People' }))
      await hands.click(page.getByRole('searchbox', { name: 'Find', exact: true }))
      await hands.type(WITHOUT_PHONE.toLowerCase())
      await hands.click(page.getByRole('button', { name: `Remove second factor ${WITHOUT_PHONE}` }))
      await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Remove second factor' }))
      await hands.reads(page.getByText(`${WITHOUT_PHONE} has no second factor any more.`))
    },
  },
  {
    asks: 'Why is our order not with the signer? (stuck in review)',
    async walk(hands, { tasks, reaches }) {
      const { page } = hands
      await hands.click(page.getByRole('link', { name: /waits? for a review/ }))
      await hands.click(page.getByRole('link', { name: `${tasks.inReview}` }))
      await heading(hands, `Task ${tasks.inReview}`).waitFor()
      await hands.click(page.getByRole('button', { name: /^Same person as patient/ }).first())
      await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Match the patient' }))
      await hands.reads(page.getByText(/matched to patient/).first())
      await reaches(tasks.inReview, 'Pending')
    },
  },
  {
    asks: 'We are a new agency. Does it work already?',
    async walk(hands) {
      const { page } = hands
      await hands.click(page.getByRole('navigation').getByRole('link', { name: 'Settings' }))
      await hands.click(page.getByRole('link', { name: 'Add an agency' }))
      await heading(hands, 'Set up an agency').waitFor()
      await hands.press('Tab')
      await hands.type('Cedar Home Care')
      await hands.press('Enter')
      await page.locator('[name="personName"]:focus').waitFor()
      await hands.type('Lee Park')
      await hands.press('Enter')
      // The key is copied, and the dialog closed.
      await hands.reads(page.getByRole('dialog').locator('.new-key'))
      await hands.press('Enter')
      await hands.press('Tab')
      await hands.press('Enter')
      // The receiver may wait: its URL alone takes nine seconds to type.
      await page.locator('[name="signerNpi"]:focus').waitFor()
      await hands.type('H')
      await hands.click(page.getByRole('button', { name: 'Send a test order' }))
      await hands.reads(page.getByText('It went through: the signer decided. There is no receiver yet.'))
    },
  },
]

/** Opens the console as its operator, who has its first page before them. */
export async function atTheDesk(browser: Browser, { service }: Agencies): Promise<Opened> {
  const opened = await visitor(browser, { timeZone: 'UTC' })
  await opened.page.goto(`${service.baseUrl}/console`)
  await opened.page.getByRole('button', { name: 'Service operator' }).click()
  await opened.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  return opened
}

/** A line for a person to read. */
export const callLine = (asks: string, { clicks, keys, seconds }: Hands): string =>
  `      ${asks.padEnd(60)} ${clicks} clicks, ${`${keys}`.padStart(2)} keys, ${seconds.toFixed(1).padStart(4)} s`
