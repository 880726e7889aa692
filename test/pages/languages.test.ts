/** Pages in the language of their reader: by the browser's languages, or as chosen; in Spanish none of the English texts is left. */
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import english from '../../server/web/words/languages/en.ts'
import spanish from '../../server/web/words/languages/es.ts'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { aWaitingOrder } from '../support/service/a-waiting-order.ts'

type Text = string | Readonly<Record<string, string>>

const formsOf = (text: Text) => (typeof text === 'string' ? [text] : Object.values(text))
/** What is said in both languages alike, such as a name, proves nothing. */
const SHORTEST = 4

/** Texts of English of which Spanish has none, as they are found in a page: what a placeholder stands for may be anything. */
const ofEnglishAlone = Object.entries(english as Readonly<Record<string, Text>>)
  .flatMap(([, text]) => formsOf(text))
  .filter(
    (text) =>
      !Object.values(spanish as Readonly<Record<string, Text>>)
        .flatMap(formsOf)
        .includes(text),
  )
  .filter((text) => text.replace(/\{\w+\}|[^\p{L}]/gu, '').length >= SHORTEST)
  .map((text) =>
    text
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+'),
  )

describe('the language of a page', function () {
  this.timeout(90_000)
  let browser: Browser
  let service: TestService
  let open: Opened
  let waiting: number
  let signed: number
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
    waiting = await aWaitingOrder(service)
    signed = await aWaitingOrder(service)
    await service.signs(signed)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  afterEach(async () => {
    const { errors } = open
    await open.close()
    expect(errors).to.deep.equal([])
  })

  const inSpanish = async (path: string, width = 390) => {
    open = await visitor(browser, { locale: 'es-MX', width, height: 844 })
    await open.page.goto(service.baseUrl + path)
    return open.page
  }

  /** All that the page shows or a screen reader says, a line each. */
  const textsOf = (page: Page): Promise<string[]> =>
    page.evaluate<string[]>(`
      [...document.querySelectorAll('body *')].filter((element) => !element.closest('[lang="en"], .sheet, script, noscript, style'))
        .flatMap((element) => [
          ...(element.children.length === 0 || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
            ? [element.textContent] : []),
          ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name)),
        ])
        .concat(document.title.replace(/ · Countersign$/, ''))
        .map((text) => (text ?? '').trim()).filter(Boolean)
    `)

  /** Controls and headings whose text does not fit. */
  const cutOff = (page: Page): Promise<string[]> =>
    page.evaluate<string[]>(`
      [...document.querySelectorAll('button, a, label, h1, h2, legend, summary, p, dt, dd, .badge')]
        .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden, .sheet, .desk-head') && !element.querySelector('.count'))
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
        .map((element) => element.tagName + ': ' + element.textContent)
    `)

  async function isSpanish(page: Page, what: string) {
    expect(await page.locator('html').getAttribute('lang'), what).to.equal('es')
    const texts = await textsOf(page)
    const inEnglish = texts.filter((text) =>
      ofEnglishAlone.some((pattern) => new RegExp(`^${pattern}$`, 'su').test(text)),
    )
    expect(inEnglish, what).to.deep.equal([])
    expect(await cutOff(page), what).to.deep.equal([])
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate<number>(wide), `${what} is wider than the screen`).to.equal(0)
    await open.shoot(`spanish-${what}`)
  }

  it('is Spanish at the root and where a document is verified', async () => {
    const page = await inSpanish('/')
    await page.getByRole('heading', { name: 'Firma de documentos clínicos' }).waitFor()
    await page.getByRole('combobox', { name: 'Idioma' }).waitFor()
    await isSpanish(page, 'home')
    await page.goto(`${service.baseUrl}/verify`)
    await page.locator('input[type=file]').setInputFiles({
      name: 'no.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('not a PDF'),
    })
    await page.getByRole('heading', { name: 'No es un PDF' }).waitFor()
    await isSpanish(page, 'verify')
    expect(await accessibilityFaults(page)).to.deep.equal([])
  })

  it('is Spanish in the whole inbox', async () => {
    const page = await inSpanish('/inbox')
    await page.getByRole('heading', { name: 'Iniciar sesión en su bandeja' }).waitFor()
    await isSpanish(page, 'sign-in')
    await page.getByRole('button', { name: 'Ruth Calder' }).click()
    await page.getByRole('heading', { name: '1 documento por firmar' }).waitFor()
    await isSpanish(page, 'inbox')
    const parts = {
      signed: 'Firmados y rechazados',
      delegation: 'Delegación',
      notices: 'Correo',
      tray: 'Firmar juntos',
    }
    for (const [route, title] of Object.entries(parts)) {
      await page.goto(`${service.baseUrl}/inbox#/${route}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.waitForLoadState('networkidle')
      await isSpanish(page, route)
    }
    await page.goto(`${service.baseUrl}/inbox#/documents/${waiting}`)
    await page.locator('.sheet[data-drawn]').first().waitFor()
    await page.getByText('Sexo').waitFor({ state: 'attached' })
    await isSpanish(page, 'desk')
    await page.getByRole('button', { name: 'Rechazar', exact: true }).click()
    await page.getByRole('dialog', { name: 'Rechazar este documento' }).waitFor()
    await isSpanish(page, 'reject')
    expect(await accessibilityFaults(page)).to.deep.equal([])
  })

  it('is the one that was chosen, also when the page is opened again', async () => {
    const page = await inSpanish('/verify', 1280)
    await page.getByRole('combobox', { name: 'Idioma' }).selectOption('en')
    await page.getByRole('heading', { name: 'Verify a signed document' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).to.equal('en')
    await page.goto(`${service.baseUrl}/inbox`)
    await page.getByRole('heading', { name: 'Sign in to your inbox' }).waitFor()
  })

  it('is English where a page is in English alone, however the browser is set', async () => {
    const page = await inSpanish('/console')
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).to.equal('en')
    expect(await page.getByRole('combobox', { name: 'Language' }).count()).to.equal(0)
  })
})
