/** What of a call and its answer may be written down, in the words of any host. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { textsOf } from '../../../lib/client/exchange/withhold.ts'
import { operationsOf } from '../../../lib/profile/host-operations.ts'
import { defaultProfile, parseProfile } from '../../../lib/profile/parse-profile.ts'
import { callOf, maskCall } from '../../../server/recording/call.ts'
import { type HostAnswer, maskExchange } from '../../../server/recording/mask-exchange.ts'
import { createStandIns } from '../../../server/recording/stand-ins.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'

const acme = parseProfile(readFileSync(join(import.meta.dirname, '../../support/foreign-host/acme.json'), 'utf8'))
const TASKS = '/api/v1/signature/tasks'

describe('what is written down of an exchange', () => {
  let standIns = createStandIns(async () => 2)
  beforeEach(() => {
    standIns = createStandIns(async () => 2)
  })

  interface Asked {
    method?: string
    target: string
    body?: unknown
    profile?: typeof acme
  }

  const masked = (
    { method = 'GET', target, body, profile = defaultProfile }: Asked,
    answer: Partial<HostAnswer> = {},
  ) =>
    maskExchange(
      callOf(operationsOf(profile), method, target, body)!,
      { status: 200, retryAfter: undefined, link: undefined, body: undefined, ...answer },
      standIns,
    )

  it('has the ids, statuses, flags and times of a task, and stand-ins for its texts', async () => {
    const task = {
      taskId: 9_007_199_254_000_001,
      status: 'Rejected',
      statusReason: 'Alma moved away',
      externalDocId: 'ALMA-1',
      output: { isFiled: false, statusReason: 'Alma moved away' },
      createdAt: '2026-01-15T09:30:00.000Z',
    }
    const { answer, withheld } = await masked({ target: `${TASKS}/1001` }, { body: task })
    expect(answer.body).to.deep.equal({
      ...task,
      statusReason: 'statusReason-1',
      externalDocId: 'externalDocId-1',
      output: { isFiled: false, statusReason: 'statusReason-1' },
    })
    expect(withheld).to.equal(3)
  })

  it('has nothing that the interface does not know, by name or by value', async () => {
    const body = { results: [{ taskId: 7, status: 'Alma', patient: { id: 424242 }, Whitfield: true }], total: 1 }
    const { answer, withheld } = await masked({ target: `/partner${TASKS}`, profile: acme }, { body })
    expect(answer.body).to.deep.equal({ results: [{ taskId: 7, status: 'status-1' }] })
    expect(withheld).to.equal(4)
  })

  it('has no number that is too large for what the interface counts or measures there', async () => {
    const ssn = 123_456_789
    const area = { left: ssn, top: 10.5, right: ssn + 0.5, bottom: -ssn }
    const data = [{ type: 'VisibleSignature' as const, pageNumber: ssn, required: true, ...area }]
    const body = aCreateBody({ document: { annotations: { type: 'Json', data } } })
    const { request } = await masked({ method: 'POST', target: TASKS, body })
    expect(JSON.stringify(request)).to.contain('10.5').and.to.not.contain(String(ssn))
    const list = await masked({ target: `${TASKS}?limit=${ssn}&before=${ssn}` })
    expect(list.request.query).to.not.have.property('limit', [String(ssn)])
    expect(JSON.stringify(list.request.query.limit)).to.not.contain(String(ssn))
  })

  it('has no value of another kind than the interface says', async () => {
    const body = { taskId: 'Alma', status: { of: 'Alma' }, createdAt: '1948-03-12', output: ['Alma'] }
    const { answer } = await masked({ target: `${TASKS}/1` }, { body })
    expect(answer.body).to.deep.equal({ taskId: 'taskId-1', createdAt: '1900-01-01' })
  })

  it('has no value of a patient, words of the interface and codes included', async () => {
    const body = aCreateBody({ document: { diagnosisCode: 'I50.9' } })
    const { request } = await masked({ method: 'POST', target: TASKS, body })
    const written = JSON.stringify(request)
    const { attachment, externalDocId, diagnosisCode, effectiveDate } = body.document
    for (const text of textsOf(body.patient, { attachment, externalDocId, diagnosisCode, effectiveDate }))
      expect(written, text).to.not.include(`"${text}"`)
    expect(request.body).to.have.nested.property('patient.sex', 'sex-1')
    expect(request.body)
      .to.have.nested.property('patient.identifiers[0]')
      .that.deep.equals({ authority: 'mrn', value: 'value-1' })
    expect(request.body).to.have.nested.property('document.annotations.data[0].type', 'VisibleSignature')
    expect(request.body).to.have.nested.property('document.annotations.data[0].left', 72)
  })

  it('is masked a second time without a change, so that a replay reads it as the recorder did', async () => {
    const { request } = await masked({ method: 'POST', target: TASKS, body: aCreateBody() })
    const call = callOf(operationsOf(defaultProfile), 'POST', TASKS, request.body)!
    expect(maskCall(call, { replace: (text) => text, leaveOut: () => expect.fail('left out') })).to.deep.equal(request)
  })

  it('has stand-ins in paths and queries, and no parameter that is unknown', async () => {
    const { request } = await masked({ target: '/api/v1/users/providers/9999900019' })
    expect(request.path).to.equal('/api/v1/users/providers/0000000001')
    const list = await masked({ target: `${TASKS}?status=Pending&externalDocId=ALMA&limit=5&name=Alma&limit=Alma` })
    expect(list.request.query).to.deep.equal({
      externalDocId: ['externalDocId-1'],
      limit: ['5', 'limit-1'],
      status: ['Pending'],
    })
    expect(list.withheld).to.equal(3)
  })

  it('has the next page without what the list was narrowed by', async () => {
    const link = `<https://host.example.org${TASKS}?externalDocId=ALMA&before=12&cursor=Alma>; rel="next"`
    const { answer } = await masked({ target: `${TASKS}?externalDocId=ALMA` }, { link, retryAfter: '7', body: [] })
    expect(answer).to.deep.equal({
      status: 200,
      retryAfter: '7',
      next: { externalDocId: ['externalDocId-1'], before: ['12'] },
      body: [],
    })
  })

  it('has no sentence of a refusal, and no field of an error that is not ours', async () => {
    const answered = { status: 404, body: { errors: ['Alma is unknown'], message: 'Alma is unknown' } }
    expect((await masked({ target: `${TASKS}/1` }, answered)).answer.body).to.deep.equal({ errors: ['errors-1'] })
  })

  it('has a blank document for each document, the same for the same one', async () => {
    const document = Buffer.from('%PDF-1.7 Alma').toString('base64')
    const read = async (attachment: string) => {
      const body = { taskId: 1, status: 'Completed', output: { attachment } }
      const { answer } = await masked({ target: `${TASKS}/1?includeOutputAttachment=true` }, { body })
      return (answer.body as typeof body).output.attachment
    }
    const blank = await read(document)
    expect(Buffer.from(blank, 'base64').toString('latin1')).to.match(/^%PDF-/)
    expect(await read(document)).to.equal(blank)
    expect(await read(Buffer.from('%PDF-1.7 Berta').toString('base64'))).to.not.equal(blank)
  })

  it('is nothing for a call that the interface does not have', () => {
    const rows = operationsOf(defaultProfile)
    expect(callOf(rows, 'GET', '/patients/alma', undefined)).to.equal(null)
    expect(callOf(rows, 'PUT', `${TASKS}/1`, undefined)).to.equal(null)
    expect(callOf(rows, 'GET', `${TASKS}/%E0%A4%A`, undefined)).to.equal(null)
  })
})
