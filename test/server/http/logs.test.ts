/** What is private goes through every endpoint, in success and in error, and stands in no log, no error and no header. */
import { Writable } from 'node:stream'
import { expect } from 'chai'
import { pino } from 'pino'
import type { CreateTask } from '../../../lib/contract/task.ts'
import { type Answer, aService, type TestService } from '../../support/a-service.ts'
import { aTask, SIGNER } from '../../support/a-task.ts'
import { base64, orderPdf } from '../../support/order-pdf.ts'

const planted = {
  family: 'Zebulon-Quagmire',
  street: '4711-Nevermore-Crescent',
  patient: 'PLANTED-PATIENT-ID',
  document: 'PLANTED-DOC-ID',
  saved: 'PLANTED-SAVED-ID',
  reason: 'planted-reason',
  pre: 'planted-value-of-a-field',
  phrase: 'planted-reference-text',
  diagnosis: 'Z99-PLANTED',
  key: 'planted-wrong-key',
  filter: 'planted-filter',
  path: 'planted-path',
}
const TASKS = '/api/v1/signature/tasks'

describe('What the service logs', () => {
  const lines: string[] = []
  const answers: Answer<unknown>[] = []
  let service: TestService
  before(async () => {
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString())
        done()
      },
    })
    service = await aService({ logger: pino({ level: 'trace' }, stream) })
  })
  after(() => service.stop())

  const ask = async <T>(...call: Parameters<TestService['ask']>) => {
    const answer = await service.ask<T>(...call)
    answers.push(answer)
    return answer
  }

  async function everything(): Promise<void> {
    const body: CreateTask = aTask({
      patient: {
        externalId: planted.patient,
        names: [{ family: planted.family, given: ['A'] }],
        addresses: [{ line: planted.street, postalCode: '55802' }],
      },
      document: {
        externalDocId: planted.document,
        diagnosisCode: planted.diagnosis,
        annotations: {
          type: 'Json',
          data: [{ type: 'TextArea', value: planted.pre, pageNumber: 1, left: 1, top: 1, right: 200, bottom: 60 }],
        },
      },
    })
    const { taskId } = (await ask<{ taskId: number }>('POST', TASKS, { body })).body
    await service.reaches(taskId, 'Pending')
    await ask('POST', TASKS, { body: { ...body, performers: [] } })
    await ask('POST', TASKS, { raw: `{"patient":"${planted.family}`, headers: { 'content-type': 'application/json' } })
    const attachment = base64(await orderPdf({ lines: ['Order'] }))
    const beside = { type: 'CheckBox' as const, referenceText: planted.phrase, offsetX: 1, offsetY: 1 }
    const failing = { ...body.document, attachment, annotations: { type: 'ReferenceText' as const, data: [beside] } }
    const failed = await service.create({ ...body, document: failing })
    await service.reaches(failed, 'Failed')
    answers.push(await service.ask('GET', `${TASKS}/${failed}`))
    await ask('DELETE', `${TASKS}/${taskId}?reason=${planted.reason}`)
    await ask('DELETE', `${TASKS}/${taskId}?reason=${planted.reason}`)
    await ask('PATCH', `${TASKS}/${taskId}?externalSavedDocumentId=${planted.saved}`)
    await ask('PATCH', `${TASKS}/${taskId}?externalSavedDocumentId=${planted.saved}&${planted.filter}=1`)
    await ask('GET', `${TASKS}?externalDocId=${planted.document}&status=Failed&limit=1`)
    await ask('GET', `${TASKS}?${planted.filter}`)
    await ask('GET', `/${planted.path}`)
    await ask('GET', `${TASKS}/${planted.path}`)
    await ask('GET', `${TASKS}/1001`, { key: planted.key })
    await ask('GET', `/api/v1/users/providers/${SIGNER.marsh}`)
    await ask('PUT', `${TASKS}/1001?${planted.filter}`)
  }

  it('is the route as written, a status and ids: nothing of a patient, a document, a URL or a key', async () => {
    await everything()
    const log = lines.join('')
    for (const [what, word] of Object.entries({ ...planted, realKey: service.key }))
      expect(log, what).not.to.include(word)
    expect(log).not.to.include('JVBERi')
    const requests = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ route }) => route)
    expect(requests.length).to.be.greaterThan(15)
    const allowed = ['level', 'time', 'pid', 'hostname', 'requestId', 'method', 'route', 'status', 'ms']
    for (const request of requests)
      expect([...allowed, 'organizationId', 'keyId', 'taskId']).to.include.members(Object.keys(request))
    expect(requests.map(({ route }) => route)).to.include.members([TASKS, `${TASKS}/:id`, 'none'])
  })

  it('and no refusal repeats what was sent', () => {
    const refusals = answers.filter(({ status }) => status >= 400)
    expect(refusals.length).to.be.greaterThan(8)
    // A short name of an unknown parameter is repeated, so that it can be found; whatever else is a value.
    const { filter: _name, ...values } = planted
    for (const { text, headers } of refusals)
      for (const word of Object.values(values)) expect(text + JSON.stringify([...headers])).not.to.include(word)
  })
})
