/**
 * The demonstration of twenty minutes: sixteen steps in one browser, without a terminal. It is given twice with “Start over” between, and
 * each picture of the second time equals that of the first. The time of the machine stands still for the service and for the pages, so
 * that only the clock of the sandbox moves.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { systemClock } from '../../lib/clock.ts'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { root } from '../support/built.ts'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

/** What differs by nature and takes room on the page: messages that disappear after seconds, and how long requests really took. */
const OF_REAL_TIME = '.announcement, .room-duration { display: none !important }'
/** What differs by nature and keeps its place: random ids and what is computed from them. */
const MASKED = {
  'the headers and body of a webhook: its id and its signature': '.room-opened pre',
  'the id under which the log of the service has the request': '.timeline li:has-text(", request ")',
}
/** What the control room reads from time to time. */
const LOOKED_AT = ['clock', 'clock/due', 'lessons', 'requests', 'snapshots', 'scenarios', 'catchers']
const HOUR_SECONDS = 3_600
/** Levels of 255 by which a pixel at a round corner may differ. */
const ROUNDING = 2
const FOLDER = join(root, 'test/pages/screenshots')

describe('the demonstration', function () {
  this.timeout(300_000)
  const stoodStill = Math.floor(Date.now() / 60_000) * 60_000
  let browser: Browser
  let context: BrowserContext
  let service: TestService
  let room: Page
  let inbox: Page
  let console: Page
  let verify: Page
  /** A page of no service, which compares pictures. */
  let judge: Page
  let errors: string[]
  /** What came of a step and is needed by a later one. */
  let signedPdf: Buffer
  let signed: number

  before(async () => {
    const clock = { ...systemClock, now: () => stoodStill }
    ;[browser, service] = await Promise.all([openBrowser(), aService({ clock })])
    const visit = await visitor(browser)
    room = visit.page
    errors = visit.errors
    context = room.context()
    context.setDefaultTimeout(patience(30_000))
    await context.clock.setFixedTime(stoodStill)
    ;[inbox, console, verify] = [await context.newPage(), await context.newPage(), await context.newPage()]
    judge = await (await browser.newContext()).newPage()
    for (const page of [inbox, console, verify]) page.on('pageerror', ({ message }) => errors.push(message))
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const part = (name: string) => room.getByRole('region', { name })
  const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const choose = (label: string, option: string) =>
    part('Send an order').getByLabel(label).selectOption({ label: option })
  const goTo = (page: Page, path: string) => page.goto(service.baseUrl + path)
  const lesson = (name: string) => part('Go wrong').getByLabel(name)
  const line = (name: string) => part('Traffic').getByRole('img', { name, exact: true })

  /** Sends an order from the page, and returns the task that it became. */
  async function send(says: RegExp = /^201: task \d+/): Promise<number> {
    const answered = room.waitForResponse((response) => new URL(response.url()).pathname === '/sandbox/v1/orders')
    await button(room, 'Send').click()
    await answered
    await part('Send an order').getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()
    const text = (await part('Send an order').getByText(says).textContent()) ?? ''
    return Number(/task (\d+)/.exec(text)?.[1] ?? 0)
  }
  /** Waits until the page shows as many webhooks as there will be, each as it was sent and as it was caught. */
  async function caught(count: number): Promise<void> {
    await eventually(async () => {
      expect([await line('Webhook').count(), await line('Received by a catcher').count()]).to.deep.equal([count, count])
    })
  }
  /** The next webhook must find what was chosen. */
  const catcherAnswers = async (label: string) => {
    const isChange = (url: string) => new URL(url).pathname === '/sandbox/v1/catchers'
    const changed = room.waitForResponse(
      (response) => isChange(response.url()) && response.request().method() === 'POST',
    )
    await part('Traffic').getByLabel('Answers').selectOption({ label })
    await changed
  }
  const forward = async (step: string, seconds: number) => {
    await button(part('Clock'), step).click()
    await eventually(async () => {
      const { body } = await service.ask('GET', '/sandbox/v1/clock')
      expect(body).to.deep.include({ reached: true, aheadSeconds: seconds })
    })
  }
  const turn = async (name: string, isOn: boolean) => {
    await lesson(name).click()
    await eventually(async () => expect(await lesson(name).isChecked()).to.equal(isOn))
  }
  const signInAs = async (page: Page, name: string) => {
    await button(page, new RegExp(`^${name}`)).click()
    await button(page, 'Sign out').waitFor()
  }
  const signOut = async (page: Page) => {
    await button(page, 'Sign out').click()
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
  }
  const openDocument = async (patient: string) => {
    await inbox.getByRole('link', { name: patient }).first().click()
    await inbox.locator('.sheet[data-drawn]').first().waitFor()
  }
  const sign = async () => {
    await inbox.locator('.field.VisibleSignature button').click()
    await inbox.getByRole('radio', { name: 'Type' }).check()
    await button(inbox, 'Use this signature').click()
    await inbox.getByRole('button', { name: 'Sign document', disabled: false }).click()
    await inbox.getByRole('heading', { name: 'No documents to sign' }).waitFor()
  }
  const give = (buffer: Buffer) =>
    verify.locator('input[type=file]').setInputFiles({ name: 'order.pdf', mimeType: 'application/pdf', buffer })

  /** Each step returns the pages to take pictures of. */
  const steps: readonly [name: string, act: () => Promise<readonly (Page | Locator)[]>][] = [
    [
      'an order is sent from a page',
      async () => {
        await goTo(room, '/')
        await room.getByRole('main').getByRole('link', { name: 'Control room' }).click()
        await button(room, 'Service operator').click()
        await part('Traffic').getByText('Nothing yet').waitFor()
        await part('Traffic').getByText('Catch webhooks here').click()
        await part('Traffic').getByLabel('Name of a new catcher').fill('demo')
        await button(room, 'Catch and subscribe').click()
        await part('Traffic').getByText(`${service.baseUrl}/sandbox/catch/demo`).waitFor()
        await choose('Patient', 'Jörg Müller')
        await choose('Signer', 'Ruth Calder DO')
        signed = await send()
        await caught(1)
        return [room]
      },
    ],
    [
      'what a receiver got, and whether it is verified',
      async () => {
        const first = part('Traffic')
          .getByRole('listitem')
          .filter({ has: room.getByRole('img', { name: 'Received by a catcher' }) })
        await first.getByText('✔ signature').click()
        await first.getByText('"Pending"').waitFor()
        return [part('Traffic').getByText('Catch webhooks here'), first.locator('summary')]
      },
    ],
    [
      'the signer signs',
      async () => {
        await goTo(inbox, '/inbox')
        await signInAs(inbox, 'Ruth Calder')
        await openDocument('Jörg Müller')
        await sign()
        await caught(2)
        return [inbox, room]
      },
    ],
    [
      'the operator, in the next tab, sees who signed',
      async () => {
        await goTo(console, `/console#/tasks/${signed}`)
        await console
          .getByText(/Signed by Ruth Calder DO/)
          .first()
          .waitFor()
        await inbox.getByRole('link', { name: 'Signed' }).click()
        await inbox.getByText('Jörg Müller').first().waitFor()
        return [console, inbox]
      },
    ],
    [
      'the signed PDF is verified',
      async () => {
        const download = inbox.waitForEvent('download')
        await inbox.getByRole('link', { name: 'PDF of the signed document of Jörg Müller' }).click()
        signedPdf = await readFile(await (await download).path())
        await goTo(verify, '/verify')
        await give(signedPdf)
        await verify.getByRole('heading', { name: 'TEST: unchanged, but not a legal signature' }).waitFor()
        return [verify]
      },
    ],
    [
      'a changed PDF is not valid',
      async () => {
        const changed = Buffer.from(signedPdf)
        changed[changed.indexOf('/Type')]! ^= 1
        await give(changed)
        await verify.getByRole('heading', { name: 'Not valid' }).waitFor()
        return [verify]
      },
    ],
    [
      'the signer rejects, with a reason',
      async () => {
        await choose('Patient', 'Alma Whitfield')
        await send()
        await caught(3)
        await goTo(inbox, '/inbox')
        await openDocument('Alma Whitfield')
        await button(inbox, 'Reject').click()
        await button(inbox, 'Not my patient').click()
        await button(inbox, 'Reject document').click()
        await inbox.getByRole('heading', { name: 'No documents to sign' }).waitFor()
        await caught(4)
        return [inbox, room]
      },
    ],
    [
      'a colleague signs for a signer who is away',
      async () => {
        await signOut(inbox)
        await goTo(console, '/console#/organizations')
        await console.getByRole('link', { name: 'Lakeside Family Practice' }).click()
        await console.getByLabel('Signers may let a colleague sign').click()
        await console.getByText('No one is signing for anyone else now.').waitFor()
        await signInAs(inbox, 'Ian Voss')
        await inbox.getByRole('link', { name: 'Delegation' }).click()
        await inbox.getByLabel('Colleague').selectOption({ label: 'Helen Marsh MD (Lakeside Family Practice)' })
        await inbox.getByLabel('Last day').fill(await inbox.getByLabel('First day').inputValue())
        await button(inbox, 'Delegate').click()
        await inbox.getByText('Helen Marsh MD for Ian Voss MD').waitFor()
        await signOut(inbox)
        await choose('Patient', 'Zoë O’Brien-Nuñez')
        await choose('Signer', 'Ian Voss MD')
        await send()
        await caught(5)
        await signInAs(inbox, 'Helen Marsh')
        await openDocument('Zoë')
        await inbox.getByText('You sign for Ian Voss MD').waitFor()
        await sign()
        await caught(6)
        return [inbox, room]
      },
    ],
    [
      'a template is retired',
      async () => {
        await goTo(console, '/console#/templates')
        await console
          .getByRole('button', { name: /^Retire template/ })
          .first()
          .click()
        const offered = await console.getByRole('button', { name: /^Retire template \d/ }).count()
        await console.getByRole('dialog').getByRole('button', { name: 'Retire template' }).click()
        await eventually(async () =>
          expect(await console.getByRole('button', { name: /^Retire template \d/ }).count()).to.equal(offered - 1),
        )
        return [console]
      },
    ],
    [
      'signers act by themselves, as their cards say, and an unknown one fails',
      async () => {
        await part('Send an order').getByText('What each signer does').click()
        await part('Send an order').getByText('Ruth Calder DO waits for you').click()
        const card = part('Send an order').getByRole('listitem').filter({ hasText: 'Ruth Calder' })
        await card.getByLabel('Outcome').selectOption('sign')
        await card.getByLabel('After').fill('60')
        await button(card, 'Save').click()
        await part('Send an order').getByText('signs after 60 s').waitFor()
        await choose('Signer', 'Ruth Calder DO')
        await send()
        await caught(7)
        await choose('Signer', 'Owen Tate NP')
        await send()
        await caught(8)
        await choose('Signer', 'A signer whom nobody knows')
        await send()
        await caught(9)
        await forward('+ 1 hour', HOUR_SECONDS)
        await caught(11)
        return [room]
      },
    ],
    [
      'three days pass: the receiver fails and is tried again, and an order is overdue',
      async () => {
        await catcherAnswers('500: the service tries again')
        await choose('Signer', 'Ian Voss MD')
        await send()
        await caught(12)
        for (let day = 1; day <= 3; day++) await forward('+ 1 day', HOUR_SECONDS * (1 + 24 * day))
        await forward('+ 1 hour', HOUR_SECONDS * 74)
        await catcherAnswers('200, at once')
        await goTo(console, '/console#/')
        await console.getByText(/^Ian Voss MD has 1 order older than three days/).waitFor()
        await console.getByRole('heading', { name: 'Now' }).waitFor()
        return [room, console]
      },
    ],
    [
      'an answer is lost, the host refuses, and webhooks are doubled',
      async () => {
        const before = await line('Received by a catcher').count()
        await turn('Answer lost', true)
        await send(/No answer/)
        await caught(before + 1)
        await turn('429 with Retry-After', true)
        await send(/^429: /)
        await turn('429 with Retry-After', false)
        await turn('Webhooks doubled', true)
        await send()
        await caught(before + 3)
        await turn('Webhooks doubled', false)
        return [room]
      },
    ],
    [
      'every patient needs a review',
      async () => {
        await turn('Every patient needs a review', true)
        await choose('Patient', '山田 太郎')
        await send()
        await goTo(console, '/console#/review')
        await console.locator('tbody tr').first().waitFor()
        return [console]
      },
    ],
    [
      'the operator decides who the patient is',
      async () => {
        await console.locator('tbody tr a').first().click()
        await button(console, 'Different person').click()
        await console.locator('.console-head .badge.Pending').waitFor()
        return [console]
      },
    ],
    [
      'the state is kept and brought back, and a scenario is presented',
      async () => {
        await button(room, 'Keep state').click()
        await send()
        await button(room, 'Bring back').click()
        await button(room.getByRole('dialog'), 'Bring back').click()
        await part('Traffic').getByText('Nothing yet').waitFor()
        const card = part('Scenarios').getByRole('listitem').filter({ hasText: 'An order is signed' })
        await card.getByRole('link', { name: 'Present' }).click()
        for (const came of ['are gone.', '201: task', 'is signed.']) {
          await button(room, 'Next').click()
          await room.getByRole('status').getByText(came).waitFor()
        }
        return [room]
      },
    ],
    [
      'everything starts over',
      async () => {
        await room.getByRole('link', { name: 'Leave' }).click()
        await button(room, 'Start over').click()
        await button(room.getByRole('dialog'), 'Start over').click()
        await part('Traffic').getByText('Nothing yet').waitFor()
        return [room]
      },
    ],
  ]

  /** Waits until the control room has shown all that it reads from time to time: it asks a second time when the first answers are shown. */
  async function settled(): Promise<void> {
    if (!room.url().includes('/sandbox')) return
    for (let looks = 0; looks < 2; looks++) {
      const answers = LOOKED_AT.map(async (path) => {
        const isIt = (url: string) => new URL(url).pathname === `/sandbox/v1/${path}`
        await room.waitForResponse((response) => isIt(response.url()) && response.request().method() === 'GET')
      })
      await room.clock.fastForward(1_000)
      await Promise.all(answers)
    }
  }

  /** The policy of the pages refuses elements with styles. */
  const hide = `{ const sheet = new CSSStyleSheet()
    sheet.replaceSync(${JSON.stringify(OF_REAL_TIME)})
    document.adoptedStyleSheets = [sheet] }`

  /** Returns how many pixels of two pictures differ by more than the rounding of the browser at round corners. */
  const differing = (one: Buffer, other: Buffer): Promise<number> =>
    judge.evaluate<number>(`(async () => {
      const [one, other] = await Promise.all(${JSON.stringify([one, other].map((png) => png.toString('base64')))}.map(async (png) => {
        const image = await createImageBitmap(new Blob([Uint8Array.fromBase64(png)], { type: 'image/png' }))
        const sheet = new OffscreenCanvas(image.width, image.height).getContext('2d')
        sheet.drawImage(image, 0, 0)
        return sheet.getImageData(0, 0, image.width, image.height)
      }))
      if (one.width !== other.width || one.height !== other.height) return one.width * one.height
      let count = 0
      for (let at = 0; at < one.data.length; at += 4)
        if ([0, 1, 2].some((color) => Math.abs(one.data[at + color] - other.data[at + color]) > ${ROUNDING})) count++
      return count
    })()`)

  /** @param earlier pictures that these must come to equal */
  async function given(earlier?: ReadonlyMap<string, Buffer>): Promise<Map<string, Buffer>> {
    const pictures = new Map<string, Buffer>()
    for (const [name, act] of steps) {
      const pages = await act()
      await settled()
      for (const [index, page] of pages.entries()) {
        const whole = 'url' in page ? page : page.page()
        await whole.evaluate(hide)
        // How far a press scrolls depends on how much of the page was there.
        await whole.evaluate('scrollTo(0, 0)')
        await whole.mouse.move(0, 0)
        const title = `${pictures.size + 1} ${name}, ${index + 1}`
        const mask = Object.values(MASKED).map((selector) => whole.locator(selector))
        const take = () => page.screenshot({ animations: 'disabled', caret: 'hide', mask })
        const earlierOne = earlier?.get(title)
        let picture = await take()
        // The first time a page is done when it changes no more; the second time when it is as it was.
        const isDone = async () => {
          const before = earlierOne ?? picture
          picture = await take()
          expect(await differing(before, picture)).to.equal(0)
        }
        // A difference is reported at the end, with the other pictures.
        await eventually(isDone).catch(() => {})
        pictures.set(title, picture)
      }
    }
    await signOut(inbox)
    await signOut(room)
    for (const page of [inbox, room, console, verify]) await page.goto('about:blank')
    return pictures
  }

  it('is given in one browser without a terminal, and a second time with the same pictures', async () => {
    const first = await given()
    const second = await given(first)
    const different: string[] = []
    for (const [name, picture] of first) {
      const other = second.get(name)
      if (other && (await differing(picture, other)) === 0) continue
      different.push(name)
      mkdirSync(FOLDER, { recursive: true })
      writeFileSync(join(FOLDER, `${name} (first).png`), picture)
      if (other) writeFileSync(join(FOLDER, `${name} (second).png`), other)
    }
    expect(first.size).to.equal(second.size)
    expect(different).to.deep.equal([])
    // What the control room asks from time to time may be under way while its user signs out.
    expect(errors.filter((error) => !error.includes('status of 401'))).to.deep.equal([])
  })
})
