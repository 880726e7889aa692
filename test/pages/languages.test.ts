/** Pages in the language of their reader: by the browser's languages, or as chosen; in Spanish none of the English texts is left. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { TEMPLATE } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { aWaitingOrder } from '../support/service/a-waiting-order.ts'

type Text = string | Readonly<Record<string, string>>

const languages = join(import.meta.dirname, '../../server/web/words/languages')
const textsOfLanguage = async (code: string): Promise<Text[]> => {
  const files = globSync(`${code}/*.ts`, { cwd: languages })
  const parts = await Promise.all(files.map((file) => import(join(languages, file)) as Promise<{ default: object }>))
  // An example may be the name of something that the sandbox has.
  return parts.flatMap(({ default: words }) =>
    Object.entries<Text>({ ...words }).flatMap(([key, text]) => (/example$/i.test(key) ? [] : [text])),
  )
}
const [english, spanish] = [await textsOfLanguage('en'), await textsOfLanguage('es')]

const formsOf = (text: Text) => (typeof text === 'string' ? [text] : Object.values(text))
/** What is said in both languages alike, such as a name, proves nothing. */
const SHORTEST = 4

/** Texts of English of which Spanish has none, as they are found in a page: what a placeholder stands for may be anything. */
const ofEnglishAlone = english
  .flatMap(formsOf)
  .filter((text) => !spanish.flatMap(formsOf).includes(text))
  .filter((text) => text.replace(/\{\w+\}|[^\p{L}]/gu, '').length >= SHORTEST)
  .map((text) =>
    text
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+'),
  )

const startingWith = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)

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
      tray: 'Firmar todos',
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

  /** Opens each place of a page, and sees that it is Spanish there. */
  async function isSpanishAt(page: Page, path: string, routes: readonly string[]) {
    for (const route of routes) {
      await page.goto(`${service.baseUrl}${path}#/${route}`)
      await page.locator('main > :nth-child(2)').first().waitFor()
      await page.locator('p.loading').waitFor({ state: 'detached' })
      await isSpanish(page, `${path.slice(1)}-${route.replaceAll('/', '-') || 'home'}`)
    }
  }

  for (const width of [390, 1280]) {
    it(`is Spanish in the whole console, ${width} pixels wide`, async () => {
      const page = await inSpanish('/console', width)
      await page.getByRole('heading', { name: 'Iniciar sesión en la consola' }).waitFor()
      await page.getByRole('button', { name: 'Service operator' }).click()
      await page.getByRole('heading', { name: 'Inicio' }).waitFor()
      await isSpanishAt(page, '/console', [
        '',
        'tasks',
        `tasks/${signed}`,
        `tasks/${waiting}`,
        'review',
        'find',
        'receivers',
        'deliveries',
        'templates',
        'templates/new',
        `templates/${TEMPLATE.verbalOrder}`,
        'organizations',
        'organizations/1',
        'keys',
        'people',
        'instances',
        'audit',
        'elsewhere',
      ])
    })
  }

  it('has in English the sentences that the service gives of a task', async () => {
    open = await visitor(browser, {})
    const { page } = open
    await page.goto(`${service.baseUrl}/console#/tasks/${signed}`)
    await page.getByRole('button', { name: 'Service operator' }).click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    const sentences = await page.evaluate<
      string[]
    >(`fetch('/admin/v1/tasks/${signed}', { headers: { 'x-page-place': 'console' } })
      .then((answer) => answer.json()).then(({ story }) => story.map(({ sentence }) => sentence))`)
    expect(sentences.length).to.be.above(4)
    const shown = await page.locator('.timeline li > div').allInnerTexts()
    for (const [index, sentence] of sentences.entries()) expect(shown[index]).to.match(startingWith(sentence))
  })

  it('is Spanish in the dialogs of the console', async () => {
    const page = await inSpanish('/console#/people')
    await page.getByRole('button', { name: 'Service operator' }).click()
    const dialogs = {
      people: ['Organizaciones de Helen Marsh MD', 'Correos para Helen Marsh MD'],
      [`tasks/${waiting}`]: ['Cancelar tarea'],
      templates: [`Retirar la plantilla ${TEMPLATE.verbalOrder}`],
    }
    for (const [route, names] of Object.entries(dialogs)) {
      await page.goto(`${service.baseUrl}/console#/${route}`)
      for (const name of names) {
        await page.getByRole('button', { name, exact: true }).first().click()
        await page.getByRole('dialog').waitFor()
        await isSpanish(page, `dialog-${route.split('/')[0]}`)
        await page.keyboard.press('Escape')
      }
    }
  })

  it('is Spanish in the whole control room', async () => {
    const page = await inSpanish('/sandbox')
    await page.getByRole('heading', { name: 'Iniciar sesión en la sala de control' }).waitFor()
    await page.getByRole('button', { name: 'Service operator' }).click()
    await isSpanishAt(page, '/sandbox', ['send', 'traffic', 'wrong', 'scenarios'])
    await page.getByRole('button', { name: 'Empezar de cero' }).click()
    await page.getByRole('dialog', { name: '¿Empezar de cero?' }).waitFor()
    await isSpanish(page, 'start-over')
  })

  it('is Spanish where a page needs no one to be signed in', async () => {
    const page = await inSpanish('/notices/off?key=none')
    await page.getByRole('heading', { name: '¿No más correos?' }).waitFor()
    await isSpanish(page, 'no-more-notices')
    await page.getByRole('button', { name: 'No enviarme más correos' }).click()
    await page.getByRole('heading', { name: 'Este enlace no es válido' }).waitFor()
    await isSpanish(page, 'no-such-notices')
    // The status of the page is 404, of which the browser tells the console.
    open.errors.length = 0
  })
})
