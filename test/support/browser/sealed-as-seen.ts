/** One text as the name of a signer and in two orders, typed and pre-filled: sealed as the signer saw it, or refused by name. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { unstampableProblem } from '../../../lib/pdf/text/ink-text.ts'
import { coveredCharacters } from '../../../server/pdf/ink/covered.ts'
import { eventually } from '../eventually.ts'
import { PHRASE, TOKENS } from '../pdf/order-pdf.ts'
import { lettersOf, popplerText } from '../seen/poppler-text.ts'
import { aCreateBody } from '../service/a-create-body.ts'
import type { TestService } from '../service/a-service.ts'
import { aSigner, signsIn } from './a-signer.ts'
import { adoptTypedName } from './a-stack.ts'
import { aVisit } from './a-visit.ts'
import { type InboxPage, openInbox } from './inbox-page.ts'

/** What became of a text, as the person who gave it is told. */
type Outcome = 'sealed as seen' | 'refused, its characters named' | 'refused, its length named'
export type Outcomes = Record<'name' | 'typed' | 'prefilled', Outcome>

/** A name may be shorter than a value, and no name and no pre-filled value may have a NUL. */
export function expectedOf(text: string): Outcomes {
  const named = 'refused, its characters named'
  if (unstampableProblem(text, coveredCharacters())) return { name: named, typed: named, prefilled: named }
  if (text.includes('\u0000')) return { name: named, typed: 'sealed as seen', prefilled: named }
  const name = text.length > LONGEST_NAME ? 'refused, its length named' : 'sealed as seen'
  return { name, typed: 'sealed as seen', prefilled: 'sealed as seen' }
}

const LONGEST_NAME = 200

interface Signing {
  taskId: number
  way: 'Type' | 'Draw'
  name: string
  text: string
}

const TEXT = { left: 72, top: 300, right: 540, bottom: 400 }
const SIGNATURE = { left: 72, top: 600, right: 400, bottom: 650 }
/** What the sender wrote. */
const PRINTED = lettersOf(['Order', PHRASE, ...TOKENS].join(''))
/** A wide screen, on which the desk and the page of a signed document show a document in the same size. */
const LOOK = { width: 1400, height: 1000 }

/** @returns a function that takes a text and a number, which tells the texts of a test apart */
export async function sealedAsSeen(service: TestService, browser: Browser) {
  const operator = aVisit(service.baseUrl)
  await operator.signInAs('Service operator')
  const signer = (number: number, name: string) => aSigner(operator, number, name)

  return async (text: string, number: number): Promise<Outcomes> => {
    const problem = unstampableProblem(text, coveredCharacters())
    const outcomes: Outcomes = { name: 'sealed as seen', typed: 'sealed as seen', prefilled: 'sealed as seen' }
    let name = text
    const { npi, email } = await signer(number, name).catch((refusal: Error) => {
      outcomes.name = saidBy(refusal, problem)
      name = 'Any Signer MD'
      return signer(number, name)
    })
    const typed = await sent(service, npi, '')
    const prefilled = await sent(service, npi, text).catch((refusal: Error) => {
      outcomes.prefilled = saidBy(refusal, problem)
    })
    const inbox = await openInbox(browser, service, LOOK)
    await signsIn(inbox, email)
    await opened(inbox, service, typed)
    await inbox.field('TextArea').locator('textarea').fill(text)
    if (problem) outcomes.typed = await refusedAtTheDesk(inbox, service, typed)
    else await signedAndSealed(inbox, service, { taskId: typed, way: 'Type', name, text })
    if (prefilled) {
      await opened(inbox, service, prefilled)
      await signedAndSealed(inbox, service, { taskId: prefilled, way: 'Draw', name, text })
    }
    await inbox.close()
    return outcomes
  }
}

async function sent(service: TestService, npi: string, value: string): Promise<number> {
  const place = { pageNumber: 1, required: true }
  const data = [
    { type: 'TextArea', value, ...place, ...TEXT },
    { type: 'VisibleSignature', ...place, ...SIGNATURE },
  ] as const
  const document = { annotations: { type: 'Json' as const, data: [...data] } }
  const taskId = await service.create(aCreateBody({ performer: { signer: { userNPI: npi } }, document }))
  await service.reaches(taskId, 'Pending')
  return taskId
}

/** On a page that has just been loaded, where no signature is at hand. */
async function opened({ page }: InboxPage, { service }: TestService, taskId: number): Promise<void> {
  await page.goto(`${service.inboxUrl}#/documents/${taskId}`)
  await page.reload()
  await page.locator('.sheet[data-drawn]').first().waitFor()
}

async function refusedAtTheDesk(inbox: InboxPage, service: TestService, taskId: number): Promise<Outcome> {
  const field = inbox.field('TextArea').locator('textarea')
  // Half of a pair of surrogates arrives in a page as another character.
  const problem = unstampableProblem(await field.inputValue(), coveredCharacters())
  await inbox.page.getByText(`Please write ${problem}.`).waitFor()
  await adoptTypedName(inbox)
  await inbox.page.getByText('Not ready to sign').waitFor()
  await inbox.sign()
  await inbox.said(`Text on page 1: ${problem}.`)
  expect(await field.and(inbox.page.locator(':focus')).count(), 'shown').to.equal(1)
  await service.reaches(taskId, 'Pending')
  return 'refused, its characters named'
}

async function signedAndSealed(inbox: InboxPage, service: TestService, { taskId, way, name, text }: Signing) {
  const { page, button } = inbox
  await inbox.field('VisibleSignature').locator('button').click()
  await page.getByRole('radio', { name: way }).check()
  if (way === 'Draw') await inbox.draw()
  await button('Use this signature').click()
  await inbox.ready()
  for (const type of ['TextArea', 'VisibleSignature']) await inbox.inked(type)
  const previewed = await pictureOf(inbox)
  await inbox.sign()
  await inbox.said('Signed:')
  await page.goto(`${service.service.inboxUrl}#/signed/${taskId}`)
  await page.locator('.sheet[data-drawn]').first().waitFor()
  // A page may be drawn once more, in another size, after it has come.
  await eventually(async () =>
    expect((await pictureOf(inbox)) === previewed, `${way}: the same picture`).to.equal(true),
  )
  expect(inbox.errors).to.deep.equal([])

  const { output } = await service.client.readTask({ params: { id: taskId }, query: { includeOutputAttachment: true } })
  const pdf = Buffer.from(output!.attachment!, 'base64')
  // Poppler reads a page from the top: what the sender wrote, then the text, then the stamp.
  const page1 = lettersOf(popplerText(pdf, 1))
  const end = PRINTED.length + lettersOf(text).length
  expect(page1.slice(0, end), `${way}: the text`).to.equal(PRINTED + lettersOf(text))
  const stamped = page1.slice(end)
  // A name that would not be legible is shortened in the stamp, and whole on the certificate.
  const [begin = ''] = stamped.split('…')
  const isStamped = stamped.includes(lettersOf(name)) || (begin.length > 60 && lettersOf(name).startsWith(begin))
  expect(isStamped, `${way}: the name, stamped as ${stamped}`).to.equal(true)
  expect(lettersOf(popplerText(pdf, 2)), 'the certificate').to.include(lettersOf(name))
}

const pictureOf = ({ page }: InboxPage) =>
  page.evaluate<string>(`document.querySelector('.sheet[data-page="1"] canvas').toDataURL()`)

/** @throws {Error} the refusal, when it names neither the characters nor what a text may be */
function saidBy(refusal: Error, problem: string | null): Outcome {
  if (/without NUL characters/.test(refusal.message)) return 'refused, its characters named'
  if (problem && refusal.message.includes(problem)) return 'refused, its characters named'
  if (/text of 1 to \d+ characters/.test(refusal.message)) return 'refused, its length named'
  throw refusal
}
