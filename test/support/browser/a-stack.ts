/** A stack of orders that wait for one signer, and how long it takes to sign them one after the other. */
import type { Browser, Page } from 'playwright-core'
import { aCreateBody } from '../service/a-create-body.ts'
import type { TestService } from '../service/a-service.ts'
import type { Look } from './browser.ts'
import { type InboxPage, openInbox } from './inbox-page.ts'

/** Orders of Ida Stack-001, Ida Stack-002, and so on, each with a signature and its date. Returns their tasks. */
export async function aStack(service: TestService, count: number): Promise<number[]> {
  const tasks: number[] = []
  for (let i = 1; i <= count; i++) {
    const names = [{ family: familyOf(i), given: ['Ida'] }]
    const task = await service.create(aCreateBody({ patient: { externalId: `STACK|${i}`, names, identifiers: null } }))
    // Documents that are on their way together may arrive in another order.
    await service.reaches(task, 'Pending')
    tasks.push(task)
  }
  return tasks
}

export const familyOf = (i: number) => `Stack-${String(i).padStart(3, '0')}`

/** In ms: a press that has had no effect by then was lost. */
const LOST_MS = 15_000

export type How = 'keyboard' | 'phone'

const looks: Readonly<Record<How, Look>> = { keyboard: {}, phone: { width: 390, height: 844, touch: true } }

/** Opens the inbox, as the signer of a stack works. */
export const openStack = (browser: Browser, service: TestService, how: How): Promise<InboxPage> =>
  openInbox(browser, service, looks[how])

/** Opens the first document of a stack and signs it by the typed name, which is at hand from then on. */
export async function beginStack(inbox: InboxPage): Promise<void> {
  await inbox.signInAs('Ruth Calder')
  await inbox.open(familyOf(1))
  await adoptTypedName(inbox)
  await inbox.sign()
}

/** Gives the typed name as signature, and places it in the open document. */
export async function adoptTypedName({ page, field, button }: InboxPage): Promise<void> {
  await field('VisibleSignature').locator('button').click()
  await page.getByRole('radio', { name: 'Type' }).check()
  await button('Use this signature').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** A line for a person to read. */
export const paceLine = (how: How, { acts, seconds }: Pace): string =>
  `      ${how}: ${acts} acts and ${seconds.toFixed(2)} s for each document`

export interface Pace {
  /** Taps, or presses of keys, for each document. */
  acts: number
  seconds: number
}

/** Signs the rest of a stack, up to its last document, without reading. */
export async function signRest({ page }: InboxPage, last: number, how: How): Promise<Pace> {
  let acts = 0
  /** Presses the button of this document, and of no other, and waits until it has done its work. */
  const press = async (name: string, document: string) => {
    const desk = page.getByRole('main').filter({ has: page.getByRole('heading', { name: document }) })
    const button = desk.getByRole('button', { name })
    await desk.getByRole('button', { name, disabled: false }).waitFor()
    if (how === 'phone') await button.tap()
    else await page.keyboard.press('ControlOrMeta+Enter')
    acts++
    await button.waitFor({ state: 'detached', timeout: LOST_MS }).catch(async () => {
      const said = await page.locator('.announcements').textContent()
      throw new Error(`“${name}” of ${document} was pressed, and is still there. The page says: ${said || 'nothing'}`)
    })
  }
  const begun = performance.now()
  for (let i = 2; i <= last; i++) {
    const document = familyOf(i)
    await page.getByRole('heading', { name: document }).waitFor()
    await page.locator('.sheet[data-drawn]').first().waitFor()
    await press('Place signature', document)
    await press('Sign document', document)
  }
  await page.getByRole('heading', { name: 'No documents to sign' }).waitFor()
  const count = last - 1
  return { acts: acts / count, seconds: (performance.now() - begun) / 1000 / count }
}

/** Presses Ctrl+Enter whenever the first button has something new to do, in the very moment in which it can be pressed. */
export const pressAtOnce = (page: Page): Promise<void> =>
  page.evaluate(`{
    globalThis.presses = 0
    let last = ''
    const press = () => {
      presses++
      dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, cancelable: true }))
    }
    new MutationObserver(() => {
      const button = document.querySelector('.acts-of-guide .primary:enabled')
      const now = button ? location.hash + button.textContent : last
      if (now === last) return
      last = now
      // As a key does: in a task of its own, which comes before the page is painted.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = press
      port2.postMessage(null)
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  }`)
