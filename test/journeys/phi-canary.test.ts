import { expect } from 'chai'
import { operations } from '../../lib/contract/operations.ts'
import { aFolder } from '../support/a-folder.ts'
import { CANARY, isIn } from '../support/canary.ts'
import { called } from '../support/commands/called.ts'
import { eventually } from '../support/eventually.ts'
import { aRoughReceiver, type RoughReceiver } from '../support/network/rough-receiver.ts'
import { base64, orderPdf } from '../support/pdf/order-pdf.ts'
import { aCreateBody, daysFromToday, SIGNER, TEMPLATE } from '../support/service/a-create-body.ts'
import { countersign, type Served, serve } from '../support/service/served.ts'

const HOME = { line: CANARY.line, city: CANARY.city, state: 'MN', postalCode: CANARY.postalCode }
const PATIENT = {
  externalId: CANARY.externalId,
  names: [{ use: 'official', family: CANARY.family, given: [CANARY.given] }],
  sex: 'Female' as const,
  birthDate: CANARY.birthDate,
  addresses: [HOME],
  identifiers: [
    { authority: 'mrn' as const, value: CANARY.mrn },
    { authority: 'ssn' as const, value: CANARY.ssn },
  ],
  telecoms: [{ system: 'phone', value: CANARY.phone, use: 'home' }],
}

describe('what was planted in every request', () => {
  const folder = aFolder()
  const asked = new Set<string>()
  const statuses = new Set<number>()
  /** Bodies and headers of refusals, and everything that the commands print. */
  const said: { where: string; text: string }[] = []
  let served: Served
  let key: string
  let receiver: RoughReceiver
  let secret: string
  let attachment: string

  interface Asking {
    body?: unknown
    raw?: string
    headers?: Record<string, string>
    as?: string | null
  }

  async function ask(method: string, path: string, { body, raw, headers = {}, as = key }: Asking = {}) {
    const response = await fetch(served.baseUrl + path, {
      method,
      headers: { 'content-type': 'application/json', ...(as !== null && { 'x-api-key': as }), ...headers },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    })
    const text = await response.text()
    const [pathname = ''] = path.split('?')
    asked.add(`${method} ${pathname.replace(/\/\d+(?=\/|$)/g, '/:id').replace(/providers\/.*/, 'providers/:npi')}`)
    statuses.add(response.status)
    if (response.status >= 400) said.push({ where: `${method} ${pathname} ${response.status}`, text })
    said.push({ where: `headers of ${method} ${pathname}`, text: JSON.stringify([...response.headers]) })
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, body: isJson ? JSON.parse(text) : undefined }
  }

  const aPlantedBody = (document: object = {}, performer: object = {}) => {
    const task = aCreateBody({ patient: PATIENT })
    const annotations = {
      type: 'Json',
      data: [
        { type: 'VisibleSignature', required: true, pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 },
        { type: 'DateSigned', pageNumber: 1, left: 300, top: 600, right: 390, bottom: 614 },
        { type: 'TextArea', value: CANARY.value, pageNumber: 1, left: 72, top: 500, right: 272, bottom: 540 },
      ],
    }
    return {
      ...task,
      performers: [{ signer: { userNPI: SIGNER.calder }, ...performer }],
      document: {
        ...task.document,
        attachment,
        annotations,
        diagnosisCode: CANARY.diagnosisCode,
        externalDocId: CANARY.externalDocId,
        ...document,
      },
    }
  }
  const TASKS = '/api/v1/signature/tasks'
  const WEBHOOKS = '/api/v1/signature/webhooks'

  async function create(document: object = {}, performer: object = {}): Promise<number> {
    const { status, body } = await ask('POST', TASKS, { body: aPlantedBody(document, performer) })
    expect(status).to.equal(201)
    return body.taskId
  }
  async function reaches(taskId: number, wanted: string) {
    return eventually(async () => {
      const { body } = await ask('GET', `${TASKS}/${taskId}`)
      expect(body.status).to.equal(wanted)
      return body
    })
  }

  before(async function () {
    this.timeout(60_000)
    attachment = base64(await orderPdf({ lines: ['Order', CANARY.documentText] }))
    // A receiver that throws everything back that it was sent, and believes nothing.
    receiver = await aRoughReceiver({
      behave: (response) => {
        const last = receiver.taken.at(-1)!
        response.writeHead(500, { 'x-echo': CANARY.family }).end(Buffer.concat([last.body, Buffer.from(CANARY.stray)]))
      },
    })
    served = await serve(['--data', folder, '--sandbox', '--seed', 'demo', '--allow-http-webhooks'])
    key = served.apiKeys[0]!.key
    const url = `http://127.0.0.1:${receiver.port}/${CANARY.webhookPath}`
    const made = await ask('POST', WEBHOOKS, { body: { url, description: CANARY.description } })
    secret = made.body.secret
  })
  after(async () => {
    await served?.stop()
    await receiver.close()
  })

  it('is in no log line, no refusal, no audit row, no delivery row and no output of a command', async function () {
    this.timeout(90_000)
    await everySuccess()
    await everyRefusal()
    await eventually(() => expect(receiver.taken.length, 'callbacks were tried').to.be.above(3))
    await commands()
    said.push({ where: 'log', text: served.log() })

    const all = Object.values(operations).map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect([...asked], 'every operation was asked').to.include.members(all)
    expect([...statuses], 'every kind of refusal came').to.include.members([400, 401, 403, 404, 405, 409, 413, 415])
    expect(said.length).to.be.above(80)

    const planted = { ...CANARY, apiKey: key, webhookSecret: secret, attachment: attachment.slice(40, 90) }
    const found = said.flatMap(({ where, text }) =>
      Object.entries(planted).flatMap(([name, value]) => (isIn(text, value) ? [`${name} in ${where}`] : [])),
    )
    expect(found).to.deep.equal([])
  })

  it('would be found', () => {
    const line = JSON.stringify({ msg: `failed for ${encodeURIComponent(CANARY.reason)}` })
    expect(isIn(line, CANARY.reason)).to.equal(true)
    expect(isIn(`{"b":"${Buffer.from(CANARY.family).toString('base64')}"}`, CANARY.family)).to.equal(true)
  })

  async function everySuccess(): Promise<void> {
    const signed = await create()
    await reaches(signed, 'Pending')
    await ask('POST', `/sandbox/v1/tasks/${signed}/sign`, { body: { values: { 2: CANARY.value } } })
    await ask('GET', `${TASKS}/${signed}?includeOutputAttachment=true`)
    await ask('PATCH', `${TASKS}/${signed}?externalSavedDocumentId=${CANARY.savedId}&archived=true&saved=true`)
    const retracted = await create()
    await reaches(retracted, 'Pending')
    await ask('DELETE', `${TASKS}/${retracted}?reason=${encodeURIComponent(CANARY.reason)}`)
    const rejected = await create()
    await reaches(rejected, 'Pending')
    await ask('POST', `/sandbox/v1/tasks/${rejected}/reject`, { body: { reason: CANARY.rejection } })
    const offsets = { type: 'VisibleSignature', referenceText: CANARY.referenceText, offsetX: 1, offsetY: 1 }
    const failed = await create({ annotations: { type: 'ReferenceText', data: [offsets] } })
    const { statusReason } = await reaches(failed, 'Failed')
    said.push({ where: 'reason of a failure', text: statusReason })
    await reaches(await create({}, { signer: { userNPI: SIGNER.unknown } }), 'Failed')
    const filters = [
      `externalDocId=${encodeURIComponent(CANARY.externalDocId)}`,
      `externalSavedDocumentIds=${CANARY.savedId}`,
    ]
    for (const filter of filters) await ask('GET', `${TASKS}?${filter}`)
    for (const path of ['/api/v1/documenttypes', '/api/v1/signature/templates', '/health-check', WEBHOOKS])
      await ask('GET', path)
    await ask('GET', `/api/v1/users/providers/${SIGNER.calder}`)
    const spare = await ask('POST', WEBHOOKS, { body: { url: `https://example.org/${CANARY.webhookPath}` } })
    await ask('PATCH', `${WEBHOOKS}/${spare.body.id}`, {
      body: { url: `https://example.org/x?q=${CANARY.webhookPath}` },
    })
    await ask('DELETE', `${WEBHOOKS}/${spare.body.id}`)
  }

  async function everyRefusal(): Promise<void> {
    const { family, stray, savedId, reason } = CANARY
    const wrong = {
      ...aPlantedBody({ templateId: stray, effectiveDate: stray, documentTypeId: stray }),
      patient: {
        externalId: '',
        gender: family,
        sex: family,
        birthDate: family,
        names: family,
        [stray]: stray,
        addresses: [{ line: HOME.line }],
        identifiers: [
          { authority: 'ssn', value: stray },
          { authority: family, value: stray },
        ],
      },
    }
    const refused: [string, string, Asking?][] = [
      ['POST', TASKS, { body: wrong }],
      ['POST', TASKS, { body: aPlantedBody({ attachment: base64(Buffer.from(CANARY.documentText)) }) }],
      ['POST', TASKS, { body: aPlantedBody({ attachment: `${stray}!` }) }],
      ['POST', TASKS, { body: aPlantedBody({ documentTypeId: 99_999, effectiveDate: daysFromToday(-900) }) }],
      [
        'POST',
        TASKS,
        { body: aPlantedBody({ annotations: { type: 'Template', templateId: TEMPLATE.ofAnotherOrganization } }) },
      ],
      ['POST', TASKS, { body: aPlantedBody({ annotations: { type: stray } }) }],
      ['POST', TASKS, { raw: `{"patient": {"family": "${family}", ` }],
      ['POST', TASKS, { raw: `"${family}"` }],
      ['POST', TASKS, { raw: family, headers: { 'content-type': 'text/plain' } }],
      ['POST', TASKS, { raw: family, headers: { 'content-encoding': 'gzip' } }],
      ['POST', TASKS, { as: null, body: aPlantedBody() }],
      ['POST', TASKS, { as: CANARY.key, body: aPlantedBody() }],
      ['POST', TASKS, { as: family, body: aPlantedBody() }],
      ['PUT', TASKS, { body: aPlantedBody() }],
      [
        'GET',
        `${TASKS}?patient=${family}&isArchived=${family}&externalDocId=${encodeURIComponent(CANARY.externalDocId)}`,
      ],
      ['GET', `${TASKS}/${family}`],
      ['GET', `${TASKS}/999999?includeOutputAttachment=${family}`],
      ['GET', `${TASKS}/999999`],
      ['PATCH', `${TASKS}/999999?externalSavedDocumentId=${savedId}`],
      ['PATCH', `${TASKS}/1001?externalSavedDocumentId=${savedId}`],
      ['PATCH', `${TASKS}/1001?externalSavedDocumentId=${savedId}-2&archived=false&saved=${family}`],
      ['DELETE', `${TASKS}/1001?reason=${encodeURIComponent(reason)}`],
      ['DELETE', `${TASKS}/1001?reason=${encodeURIComponent(reason.repeat(40))}`],
      ['GET', `/api/v1/users/providers/${family}`],
      ['GET', `/${family}/${encodeURIComponent(stray)}`],
      ['GET', `/%E0%A4%A/${family}`],
      ['POST', WEBHOOKS, { body: { url: `ftp://${CANARY.webhookPath}/`, description: stray.repeat(20) } }],
      ['POST', WEBHOOKS, { body: { url: `https://user:${CANARY.password}@example.org/${CANARY.webhookPath}` } }],
      ['POST', WEBHOOKS, { body: { url: `https://10.0.0.1/${CANARY.webhookPath}` } }],
      ['PATCH', `${WEBHOOKS}/1`, { body: { active: family, url: `http://${CANARY.webhookPath}.example/` } }],
      ['PATCH', `${WEBHOOKS}/999`, { body: { url: `https://example.org/${CANARY.webhookPath}` } }],
      ['DELETE', `${WEBHOOKS}/999`],
      ['POST', WEBHOOKS, { raw: JSON.stringify({ url: stray, description: stray.repeat(4_000) }) }],
      ['POST', '/sandbox/v1/tasks/1001/sign', { body: { values: { [family]: stray, 2: { family } } } }],
      ['POST', '/sandbox/v1/tasks/1001/reject', { body: { reason } }],
      ['POST', '/sandbox/v1/tasks/999999/reject', { body: { reason: reason.repeat(40) } }],
      ['POST', '/account/api/session', { body: { email: CANARY.email, password: CANARY.password } }],
      [
        'POST',
        '/account/api/session',
        { body: { email: family, password: '' }, headers: { 'sec-fetch-site': 'same-origin' } },
      ],
      [
        'POST',
        '/account/api/session',
        { body: { email: CANARY.email, password: CANARY.password }, headers: ownPage() },
      ],
      ['GET', '/inbox/api/documents', { headers: { cookie: `session=${CANARY.password}` } }],
      ['POST', '/inbox/api/documents/1001/reject', { body: { reason } }],
    ]
    for (const [method, path, asking] of refused) {
      const { status } = await ask(method, path, asking)
      expect(status, `${method} ${path}`).to.be.within(400, 499)
    }
  }

  const ownPage = () => ({ 'sec-fetch-site': 'same-origin', origin: served.baseUrl })

  async function commands(): Promise<void> {
    const calls: [typeof called, ...string[]][] = [
      [countersign, 'deliveries', 'list'],
      ...['1', '2', '3', '4'].map((id): [typeof called, ...string[]] => [called, 'deliveries', 'show', id]),
      [called, 'deliveries', 'redeliver', '--subscription', '1', '--state', 'waiting'],
      [called, 'deliveries', 'redeliver', '--failed-since', '2020-01-01T00:00:00Z', '--dry-run'],
      [called, 'audit', 'verify'],
      [called, 'audit', 'head'],
      [countersign, 'audit', 'export'],
      [called, 'people', 'list'],
    ]
    for (const [call, ...args] of calls) {
      const { code, stdout, stderr } = await call([...args, '--data', folder])
      expect(code, `${args.join(' ')}: ${stderr}`).to.equal(0)
      said.push({ where: `countersign ${args.join(' ')}`, text: stdout + stderr })
    }
  }
})
