/** Whatever reaches a signer can be signed; whatever cannot is refused, or fails with a reason, before anyone is asked to sign it. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Annotations } from '../../lib/contract/task/annotations.ts'
import type { Task } from '../../lib/contract/task/task.ts'
import { fixture, fixtureNames } from '../support/fixtures.ts'
import { countedPages, unsignablePages } from '../support/pdf/costly-pages.ts'
import { base64 } from '../support/pdf/order-pdf.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const onFirstPage: Annotations = {
  type: 'Json',
  data: [{ type: 'VisibleSignature', required: true, pageNumber: 1, left: 72, top: 100, right: 252, bottom: 136 }],
}

describe('a document that is accepted', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service?.stop())

  /** What became of the document before its signer was asked: the reason of a refusal, or the task. */
  async function outcome(pdf: Uint8Array, annotations: Annotations = onFirstPage): Promise<string | Task> {
    const body = aCreateBody({ document: { attachment: base64(pdf), annotations } })
    const create = () => service.ask<{ taskId: number }>('POST', '/api/v1/signature/tasks', { body })
    let created = await create()
    // A busy machine refuses a document for now, as the answer says.
    while (created.status === 503) {
      await pause(250)
      created = await create()
    }
    if (created.status === 400) return created.errors.join(' ')
    expect(created.status, created.text).to.equal(201)
    for (;;) {
      const task = await service.client.readTask({ params: { id: created.body.taskId } })
      if (task.status !== 'Received' && task.status !== 'Processing') return task
      await pause(25)
    }
  }

  /** `sign` throws unless the service answers 204. */
  async function signedOrRefused(pdf: Uint8Array, annotations?: Annotations): Promise<string> {
    const found = await outcome(pdf, annotations)
    if (typeof found === 'string') return `refused: ${found}`
    if (found.status !== 'Pending') return `${found.status}: ${found.statusReason}`
    await service.signs(found.taskId)
    return (await service.reaches(found.taskId, 'Completed')).status
  }

  for (const folder of ['orders', 'producers', 'forms', 'attacks', 'unusual', 'hostile'])
    it(`can be signed: each file of pdf/${folder}`, async function () {
      this.timeout(180_000)
      let completed = 0
      for (const name of fixtureNames(`pdf/${folder}`).filter((file) => file.endsWith('.pdf'))) {
        const end = await signedOrRefused(fixture(name))
        expect(end, name).to.match(/^(?:Completed$|refused: document\.attachment|Failed: document\.attachment: .+\.$)/)
        if (end === 'Completed') completed++
      }
      if (folder !== 'hostile' && folder !== 'attacks') expect(completed).to.be.greaterThan(0)
    })

  it('can be signed over a link, under its token and anywhere else', async () => {
    for (const name of ['link-under-signature', 'link-below-the-stamp']) {
      const pdf = fixture(`pdf/unusual/${name}.pdf`)
      expect(await signedOrRefused(pdf, { type: 'SmartAnnotations' }), name).to.equal('Completed')
    }
  })

  it('can be signed with a size of seventeen digits', async () => {
    expect(await signedOrRefused(fixture('pdf/unusual/a4-seventeen-digits.pdf'))).to.equal('Completed')
  })

  for (const [what, [make]] of Object.entries({ ...countedPages, ...unsignablePages }))
    it(`never reaches a signer, or can be signed as pictures: ${what}`, async function () {
      this.timeout(180_000)
      expect(await signedOrRefused(make())).to.match(
        /^Completed$|^(?:refused: document\.attachment|Failed: document\.attachment: ).+; (?:print it to PDF again|save)/,
      )
    })
})
