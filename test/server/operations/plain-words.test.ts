/** Whatever the inbox's page is refused, its reader is told in words: no refusal of the signer's table speaks of requests or tasks. */
import { expect } from 'chai'
import { MAX_FIELD_TEXT } from '../../../lib/contract/task/field-kinds.ts'
import { taskStatuses } from '../../../lib/contract/task/task-status.ts'
import { Refusal } from '../../../server/domain/refusal.ts'
import type { Opened } from '../../../server/operations/signer/messages.ts'
import { plainWords } from '../../../server/operations/signer/plain-words.ts'
import { signer } from '../../../server/operations/signer/table.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

/** What no reader of a page has heard of. */
const FOREIGN = new RegExp(`^\\S+: |\\[\\d|\\b(${taskStatuses.join('|')})\\b|\\bTask \\d|sha256|timeZone|x-page-token`)

const isPlain = (error: string) => /^[A-Z].*[.]$/.test(error) && !FOREIGN.test(error)

describe('What a signer is told of a refusal', () => {
  let service: TestService
  let visit: Visit
  let taskId: number
  let opened: Opened
  before(async () => {
    service = await aService()
    taskId = await aWaitingOrder(service)
    visit = aVisit(service.baseUrl)
    await visit.signInAs('Ruth Calder DO')
    opened = (await visit.ask<Opened>('GET', `/inbox/api/documents/${taskId}`)).body
  })
  after(() => service?.stop())

  const body = (values: object, change: object = {}) => {
    const { sha256 } = opened
    return { sha256, values, drawn: null, keep: false, timeZone: 'America/Chicago', ...change }
  }
  const indexOf = (type: string) => opened.fields.findIndex((field) => field.type === type)
  const signing = async (values: object, change: object = {}) => {
    const { status, errors } = await visit.ask('POST', `/inbox/api/documents/${taskId}/sign`, body(values, change))
    return { status, errors }
  }

  const wrongly: Readonly<
    Record<string, (path: string, method: string) => Promise<{ status: number; errors: string[] }>>
  > = {
    'with a body of the wrong shape': (path, method) => visit.ask(method, path, { reason: 7, values: 'x', drawn: '?' }),
    'with another type of body': (path, method) => visit.ask(method, path, {}, { 'content-type': 'text/plain' }),
    'with a body that is too large': (path, method) => visit.ask(method, path, { reason: 'x'.repeat(2_000_000) }),
    'from another site': (path, method) => visit.ask(method, path, {}, { origin: 'https://elsewhere.example' }),
    'without the token': (path, method) => visit.ask(method, path, {}, { 'x-page-token': '' }),
    'without a session': (path, method) => visit.ask(method, path, method === 'GET' ? undefined : {}, { cookie: '' }),
    'with an unknown parameter': (path, method) => visit.ask(method, `${path}?page=2`),
    'with an id that is none': (path, method) => visit.ask(method, path.replace('999', 'x')),
  }
  for (const [how, ask] of Object.entries(wrongly))
    it(`is in words when a row is called ${how}`, async () => {
      let refused = 0
      for (const row of Object.values(signer)) {
        const method = row.method.toUpperCase()
        if (method === 'GET' && /body|site|token/.test(how)) continue
        if (/an id/.test(how) && !row.path.includes(':')) continue
        const { status, errors } = await ask(row.path.replace(':taskId', '999'), method)
        if (status < 400) continue
        refused++
        expect(errors, `${method} ${row.path}`).not.to.have.length(0)
        for (const error of errors) expect(error, `${method} ${row.path}`).to.satisfy(isPlain)
      }
      expect(refused).to.be.greaterThan(0)
    })

  it('names a field as the page does', async () => {
    const values = { [indexOf('TextArea')]: 'x'.repeat(MAX_FIELD_TEXT + 1), [indexOf('DateSigned')]: 'today', 99: true }
    const { status, errors } = await signing(values)
    expect(status).to.equal(400)
    expect(errors).to.have.members([
      'This document has only 4 fields.',
      'Date signed on page 1: left out; it is filled in when the document is signed.',
      'Checkbox on page 1: must be checked.',
      `Text on page 1: text of at most ${MAX_FIELD_TEXT} characters.`,
    ])
  })

  it('says of a text that it is too long to be read in its box', async () => {
    const values = { [indexOf('TextArea')]: 'word '.repeat(800), [indexOf('CheckBox')]: true }
    expect(await signing(values)).to.deep.equal({
      status: 400,
      errors: ['Text on page 1: a shorter text: in its box, this one would be too small to be read.'],
    })
  })

  it('says what to do when the document is another one, and that it no longer waits when it does not', async () => {
    const values = { [indexOf('CheckBox')]: true }
    const other = await signing(values, { sha256: '0'.repeat(64) })
    expect(other).to.deep.equal({
      status: 409,
      errors: ['This is no longer the document that waits here. Open it again, and sign what it shows then.'],
    })
    expect((await signing(values)).status).to.equal(204)
    const gone = ['This document no longer waits for you: it was withdrawn, or signed or rejected in another window.']
    // The same again is a repetition, which changes nothing.
    const others = { ...values, [indexOf('TextArea')]: 'Other content' }
    expect(await signing(others)).to.deep.equal({ status: 409, errors: gone })
    const rejected = await visit.ask('POST', `/inbox/api/documents/${taskId}/reject`, { reason: 'Late' })
    expect(rejected.errors).to.deep.equal(gone)
  })

  it('is a sentence for each kind of refusal that names a member of a request', () => {
    const kinds = [
      'invalid',
      'notFound',
      'conflict',
      'tooLarge',
      'tooMany',
      'tooSlow',
      'unavailable',
      'forbidden',
    ] as const
    for (const kind of kinds) {
      const [said] = plainWords(new Refusal(kind, 'values[2].name: required'))
      expect(said, kind).to.satisfy(isPlain)
    }
    expect(plainWords(new Refusal('invalid', 'The document is damaged.'))).to.deep.equal(['The document is damaged.'])
  })
})
