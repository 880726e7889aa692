/** A stack of orders that wait for one signer, and how long it takes to sign them one after the other. */
import type { Browser } from 'playwright-core'
import { aCreateBody } from '../service/a-create-body.ts'
import type { TestService } from '../service/a-service.ts'
import type { Look } from './browser.ts'
import { type InboxPage, openInbox } from './inbox-page.ts'

/** Orders of Ida Stack-001, Ida Stack-002, and so on, each with a signature and its date. Returns their tasks. */
export async function aStack(service: TestService, count: number): Promise<number[]> {
  const tasks: number[] = []
  for (let i = 1; i <= count; i++) {
    const names = [{ family: familyOf(i), given: ['Ida'] }]
    tasks.push(await service.create(aCreateBody({ patient: { externalId: `STACK|${i}`, names, identifiers: null } })))
  }
  for (const task of tasks) await service.reaches(task, 'Pending')
  return tasks
}

export const familyOf = (i: number) => `Stack-${String(i).padStart(3, '0')}`

export type How = 'keyboard' | 'phone'

const looks: Readonly<Record<How, Look>> = { keyboard: {}, phone: { width: 390, height: 844, touch: true } }

/** Opens the first document of a stack and signs it by the typed name, which is at hand from then on. */
export async function beginStack(browser: Browser, service: TestService, how: How): Promise<InboxPage> {
  const inbox = await openInbox(browser, service, looks[how])
  await inbox.signInAs('Ruth Calder')
  await inbox.open(familyOf(1))
  await adoptTypedName(inbox)
  await inbox.button('Sign document').click()
  return inbox
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
  const press = async (name: string) => {
    const button = page.getByRole('button', { name, disabled: false })
    await button.waitFor()
    if (how === 'phone') await button.tap()
    else await page.keyboard.press('ControlOrMeta+Enter')
    acts++
  }
  const begun = performance.now()
  for (let i = 2; i <= last; i++) {
    await page.getByRole('heading', { name: familyOf(i) }).waitFor()
    await page.locator('.sheet[data-drawn]').first().waitFor()
    await press('Place signature')
    await press('Sign document')
  }
  await page.getByRole('heading', { name: 'No documents to sign' }).waitFor()
  const count = last - 1
  return { acts: acts / count, seconds: (performance.now() - begun) / 1000 / count }
}
