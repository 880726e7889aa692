/** No error of the client holds the key, what the URL asked for, or what was sent, however badly the host behaves. */
import { inspect } from 'node:util'
import { expect } from 'chai'
import { textsOf, withhold } from '../../../lib/client/exchange/withhold.ts'
import nock from '../../support/network/nock.ts'
import { aClient } from '../../support/service/a-client.ts'
import { aCreateBody } from '../support/bodies.ts'

const HOST = 'https://sign.example.org'
const KEY = 'sk_live_canary0123456789'
const CANARIES = [
  [KEY, 'canary-doc', 'Canaryfamily', 'Canarygiven', '1931-02-03', 'canary-saved', 'canary reason', 'CANARYBASE64'],
  ['canary-patient', '12 Canary Lane', 'Z99.9', 'CANARY77'],
].flat()

const body = () => {
  const { patient, performers, document } = aCreateBody({ externalDocId: 'canary-doc', diagnosisCode: 'Z99.9' })
  return {
    performers,
    patient: {
      ...patient,
      externalId: 'canary-patient',
      birthDate: '1931-02-03',
      names: [{ family: 'Canaryfamily', given: ['Canarygiven'] }],
      addresses: [{ line: '12 Canary Lane', postalCode: '55802' }],
      identifiers: [{ authority: 'mrn' as const, value: 'CANARY77' }],
    },
    document: { ...document, attachment: 'CANARYBASE64'.repeat(50) },
  }
}

describe('an error of the client', () => {
  before(() => void (nock.isActive() || nock.activate()))
  after(() => nock.restore())
  afterEach(() => nock.cleanAll())

  const client = aClient({ baseUrl: HOST, apiKey: KEY, timeoutMs: 300 })
  const everything = JSON.stringify({ key: KEY, sent: body(), url: 'canary-saved canary reason canary-doc' })
  const behaviours: Record<string, (scope: nock.Interceptor) => nock.Scope> = {
    'repeats all in a refusal': (call) => call.reply(400, { errors: [everything] }),
    'repeats each value in a sentence': (call) =>
      call.reply(400, { errors: CANARIES.map((value) => `"${value}" is wrong; value=${value.toUpperCase()}.`) }),
    'repeats the key when it refuses it': (call) => call.reply(403, { message: `unknown key ${KEY}` }),
    'answers with a page': (call) => call.reply(404, `<html>${everything}</html>`),
    'answers success with something else': (call) => call.reply(200, everything),
    'answers success with wrong fields': (call) => call.reply(200, { taskId: everything, status: everything }),
    redirects: (call) => call.reply(307, everything, { location: `${HOST}/?key=${KEY}&reason=canary reason` }),
    fails: (call) => call.reply(500, everything),
    'is busy': (call) => call.reply(429, everything, { 'retry-after': KEY }),
    'calls the request by the key': (call) => call.reply(400, '', { 'x-request-id': KEY }),
    'cuts the connection': (call) => call.replyWithError(Object.assign(new Error(everything), { code: 'ECONNRESET' })),
    'breaks in an unknown way': (call) => call.replyWithError(new Error(everything)),
    hangs: (call) => call.delay(1000).reply(200, everything),
  }
  const calls = {
    createTask: () => client.createTask({ body: body() }),
    listTasks: () => client.listTasks({ query: { externalDocId: 'canary-doc' } }),
    updateTask: () => client.updateTask({ params: { id: 7 }, query: { externalSavedDocumentId: 'canary-saved' } }),
    retractTask: () => client.retractTask({ params: { id: 7 }, query: { reason: 'canary reason' } }),
  }

  for (const [behaviour, reply] of Object.entries(behaviours))
    for (const [name, call] of Object.entries(calls))
      it(`keeps what ${name} sent to itself when the host ${behaviour}`, async () => {
        for (const method of ['get', 'post', 'patch', 'delete'] as const) reply(nock(HOST)[method](/./).query(true))
        const failure: unknown = await call().then(
          () => undefined,
          (thrown) => thrown,
        )
        if (failure === undefined) return expect(name).to.match(/updateTask|retractTask/)
        const { message, stack, cause } = failure as Error
        const shown = [
          message,
          stack,
          String(cause),
          JSON.stringify(failure),
          inspect(failure, { depth: 20, showHidden: true }),
        ]
        for (const canary of CANARIES) {
          if (!JSON.stringify([KEY, body(), 'canary-saved', 'canary reason']).includes(canary)) continue
          for (const text of shown)
            expect(text?.toLowerCase()).not.to.contain(sentBy(name, canary) ? canary.toLowerCase() : '\u0000')
        }
      })

  /** What the call did not send cannot be known to the client; only what was sent and the key are its to keep. */
  const sentBy = (name: string, canary: string): boolean =>
    canary === KEY ||
    (name === 'createTask' && JSON.stringify(body()).includes(canary)) ||
    (name === 'listTasks' && canary === 'canary-doc') ||
    (name === 'updateTask' && canary === 'canary-saved') ||
    (name === 'retractTask' && canary === 'canary reason')
})

describe('withholding', () => {
  it('leaves the words of the interface and of other sentences', () => {
    const sent = textsOf(aCreateBody())
    const sentence = 'patient.sex: required; one of Male, Female, Unknown, Ambiguous (the field is sex, not gender)'
    expect(withhold(sentence, sent)).to.equal(sentence)
    expect(withhold('document.annotations.type: one of Template, Json, SmartAnnotations', sent)).to.contain(
      'SmartAnnotations',
    )
  })

  const words =
    'Wrong patient: meant John Q. Public, DOB 1950-01-01, not the person to whom it was addressed on Tuesday. '
  for (const length of [50, 63, 64, 65, 300, 5000]) {
    const text = words.repeat(60).slice(0, length).trim()
    it(`takes out a text of ${length} characters, and what a host repeats of it`, () => {
      const sent = textsOf({ reason: text })
      expect(withhold(`reason "${text}" is too long`, sent)).to.equal('reason "[…]" is too long')
      const part = withhold(`reason "${text.slice(0, 60)}…" is too long`, sent)
      expect(part).to.contain('is too long')
      expect(part).to.not.match(/john|public|1950/i)
      expect(withhold(`reason: ${text.replaceAll(' ', '  ')}`, sent)).to.not.match(/john|public|1950/i)
    })
  }

  it('leaves numbers and parts that a short value or a document has by chance', () => {
    const sentence = 'refused with 12345: ABCDEFGHIJKLMNOP'
    expect(withhold(sentence, ['DOC-12345', 'xABCDEFGHIJKLMNOPx'])).to.equal(sentence)
    expect(withhold(sentence, ['DOC 12345'])).to.equal('refused with […]: ABCDEFGHIJKLMNOP')
    const file = (length: number) => `${'+/aB'.repeat(length / 4)}+12345+`
    expect(withhold(sentence, [file(200_000)])).to.equal(sentence)
    expect(withhold(sentence, [file(20_000)])).to.equal('refused with […]: ABCDEFGHIJKLMNOP')
    expect(withhold('part of +/aB+/aB+/aB+/aB', [file(200_000)])).to.equal('part of […]')
  })

  it('leaves runs of fewer than three words, and takes out longer ones in any case', () => {
    const text = 'meant John Quincy Public of Lake Street'
    expect(withhold('meant for the lake street', [text])).to.equal('meant for the lake street')
    expect(withhold('says JOHN quincy, public!', [text])).to.equal('says […]!')
    expect(withhold('ends with of lake street', [text])).to.equal('ends with […]')
    expect(withhold('lake street', ['on Lake Street 5 km'])).to.equal('lake street')
    expect(withhold('nothing of it', ['! ?'])).to.equal('nothing of it')
  })

  it('takes out runs of characters of a value above 64, and not of a shorter one', () => {
    const value = (length: number) => 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(2).slice(0, length)
    expect(withhold('has jklmnopqrstuvw', [value(64)])).to.equal('has jklmnopqrstuvw')
    expect(withhold('has jklmnopqrstuvw', [value(65)])).to.equal('has […]')
    expect(withhold('has jklmnopqrst', [value(65)])).to.equal('has jklmnopqrst')
    expect(withhold('has jklmnopqrstuv', [value(65)])).to.equal('has […]')
  })

  it('takes out whole words only, the longest first', () => {
    expect(withhold('Li likes Lima, MN and LI.', ['Li', 'MN'])).to.equal('[…] likes Lima, […] and […].')
    expect(withhold('DOC-1234 and DOC-12', textsOf(['DOC-12', 'DOC-1234']))).to.equal('[…] and […]')
    expect(withhold('a.b* (c)', ['a.b*', '(c)'])).to.equal('[…] […]')
  })
})
