/** The story of a task: whatever happened to it, the console, the signer's history and the certificate page say the same. */
import { expect } from 'chai'
import type { TaskFile } from '../../../server/operations/operator/messages/tasks.ts'
import type { Opened, Past } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { randomFrom } from '../../support/random.ts'
import { certificateText } from '../../support/seen/certificate-text.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const VOSS = '9999900018'
const TATE = '9999900027'
const HISTORIES = 50
const SEED = 40
const AT_ONCE = 10

describe('the story of a task', function () {
  this.timeout(240_000)
  const clock = runningClock()
  let service: TestService
  let receiver: TestReceiver
  let [calder, voss, operator, administrator] = [] as unknown as [Visit, Visit, Visit, Visit]

  before(async () => {
    ;[service, receiver] = await Promise.all([aService({ clock }), TestReceiver.start()])
    ;[calder, voss] = [aVisit(service.baseUrl), aVisit(service.baseUrl)]
    ;[operator, administrator] = [aVisit(service.baseUrl), aVisit(service.baseUrl)]
    await signIn()
    type Provider = { npi: string; organizations: { id: number }[] }
    const { body } = await operator.ask<Provider[]>('GET', '/admin/v1/providers')
    const placesOf = (npi: string) => body.find((provider) => provider.npi === npi)!.organizations.map(({ id }) => id)
    const [harbor = 0] = placesOf(SIGNER.calder)
    await operator.ask('PATCH', `/admin/v1/providers/${VOSS}`, { organizationIds: [...placesOf(VOSS), harbor] })
    await operator.ask('PATCH', `/admin/v1/organizations/${harbor}`, { allowsDelegation: true })
    const from = (ms: number) => new Date(clock.now() + ms).toISOString()
    const delegation = { delegateNpi: VOSS, organizationId: harbor, startsAt: from(0), endsAt: from(86_400_000) }
    expect((await calder.ask('POST', '/inbox/api/delegations', delegation)).status).to.equal(201)
    const { secret } = await service.client.createSubscription({
      body: { url: receiver.url, description: 'Willow document archive' },
    })
    receiver.secrets.push(secret)
  })
  after(async () => {
    await service.stop()
    await receiver.stop()
  })
  beforeEach(() => signIn())

  async function signIn() {
    await calder.signInAs('Ruth Calder DO')
    await voss.signInAs('Ian Voss MD')
    await operator.signInAs('Service operator')
    await administrator.signInAs('Willow Creek administrator')
  }
  const fileOf = async (taskId: number, visit = operator) =>
    (await visit.ask<TaskFile>('GET', `/admin/v1/tasks/${taskId}`)).body
  const sentences = async (taskId: number) => (await fileOf(taskId)).story.map(({ sentence }) => sentence)
  async function sent(userNPI: string, status: 'Pending' | 'Failed' = 'Pending') {
    const taskId = await service.create(aCreateBody({ performer: { signer: { userNPI } } }))
    await service.reaches(taskId, status)
    return taskId
  }
  const path = (taskId: number, rest = '') => `/inbox/api/documents/${taskId}${rest}`
  async function signs(visit: Visit, taskId: number) {
    const { sha256 } = (await visit.ask<Opened>('GET', path(taskId))).body
    await visit.ask('GET', path(taskId, '/pages'))
    const body = { sha256, values: {}, drawn: null, timeZone: 'UTC', keep: false }
    expect((await visit.ask('POST', path(taskId, '/sign'), body)).status).to.equal(204)
  }
  const rejects = async (visit: Visit, taskId: number) =>
    expect((await visit.ask('POST', path(taskId, '/reject'), { reason: 'Wrong dose' })).status).to.equal(204)

  /** Each way that a task can end: what is done, and what the story says of it. */
  const histories: readonly { says: string; run(): Promise<number> }[] = [
    {
      says: 'Signed by Ruth Calder DO.',
      async run() {
        const taskId = await sent(SIGNER.calder)
        await signs(calder, taskId)
        return taskId
      },
    },
    {
      says: 'Signed by Ian Voss MD for Ruth Calder DO.',
      async run() {
        const taskId = await sent(SIGNER.calder)
        await signs(voss, taskId)
        return taskId
      },
    },
    {
      says: 'Rejected by Ian Voss MD for Ruth Calder DO: Wrong dose.',
      async run() {
        const taskId = await sent(SIGNER.calder)
        await rejects(voss, taskId)
        return taskId
      },
    },
    {
      says: 'Rejected by Ruth Calder DO: Wrong dose.',
      async run() {
        const taskId = await sent(SIGNER.calder)
        await rejects(calder, taskId)
        return taskId
      },
    },
    {
      says: 'Signed by the demo script of Helen Marsh MD, not by a person.',
      async run() {
        const taskId = await sent(SIGNER.marsh)
        clock.advance(11_000)
        await service.reaches(taskId, 'Completed')
        return taskId
      },
    },
    {
      says: 'Rejected by the demo script of Owen Tate NP, not by a person: Not my patient.',
      async run() {
        const taskId = await sent(TATE)
        clock.advance(11_000)
        await service.reaches(taskId, 'Rejected')
        return taskId
      },
    },
    {
      says: 'Signed as Ruth Calder DO by a call of the sandbox, with key',
      async run() {
        const taskId = await sent(SIGNER.calder)
        await service.signs(taskId)
        return taskId
      },
    },
    {
      says: 'Cancelled by Service operator: Sent in error.',
      async run() {
        const taskId = await sent(SIGNER.calder)
        await operator.ask('POST', `/admin/v1/tasks/${taskId}/cancel`, { reason: 'Sent in error' })
        return taskId
      },
    },
    {
      says: 'of Ann Vale.',
      async run() {
        const taskId = await sent(SIGNER.calder)
        await service.client.retractTask({ params: { id: taskId } })
        return taskId
      },
    },
    { says: 'Failed by the service: No active signer', run: () => sent(SIGNER.unknown, 'Failed') },
  ]

  it(`agrees with the certificate page and the signer’s history in ${HISTORIES} random histories`, async () => {
    const random = randomFrom(SEED)
    const seen = new Set<string>()
    let certificates = 0
    const plan = Array.from({ length: HISTORIES }, (_, n) => histories[n] ?? random.pick(histories))
    const check = async ({ says, run }: (typeof histories)[number]) => {
      seen.add(says)
      const taskId = await run()
      const { story, task } = await fileOf(taskId)
      const told = story.map(({ sentence }) => sentence)
      expect(
        told.some((sentence) => sentence.includes(says)),
        `${says} in\n${told.join('\n')}`,
      ).to.equal(true)
      expect(told[0]).to.match(/^Received from Willow Creek Home Health, with key \S+ of Ann Vale, request \S+\.$/)
      expect(told.join('\n')).not.to.match(/undefined|null|\bNaN\b/)
      for (const owner of [calder, voss]) {
        const past = (await owner.ask<Past[]>('GET', '/inbox/api/past')).body.find((one) => one.taskId === taskId)
        if (past) expect(story.some(({ sentence }) => sentence.startsWith(past.sentence.slice(0, -1)))).to.equal(true)
      }
      if (task.status !== 'Completed') return
      certificates++
      const signed = story.find(({ kind }) => kind === 'task.sign')!
      const query = { includeOutputAttachment: true }
      const { output } = await service.client.readTask({ params: { id: taskId }, query })
      const text = await certificateText(Buffer.from(output!.attachment!, 'base64'), 2)
      const [, name, npi, owner] = text.match(
        /Name (.+?) NPI (\d{10}) (?:On behalf of (.+?), NPI \d{10} )?Organization/,
      )!
      const isPerson = signed.by.kind === 'signer'
      expect(signed.onBehalfOf?.name, text).to.equal(owner)
      if (isPerson) expect([signed.by.name, signed.by.id]).to.deep.equal([name, npi])
      else expect(signed.sentence).to.include(name)
      expect(text.includes('Authenticated not at all: a demo signer')).to.equal(signed.by.kind === 'service')
      expect(text.includes('Authenticated not at all: the sender signed')).to.equal(signed.by.kind === 'key')
    }
    for (let n = 0; n < HISTORIES; n += AT_ONCE) await Promise.all(plan.slice(n, n + AT_ONCE).map(check))
    expect(seen.size).to.equal(histories.length)
    expect(certificates).to.be.greaterThan(10)
  })

  it('says how a task got to its signer, who opened it, who downloaded it, and what the receiver answered', async () => {
    const taskId = await sent(SIGNER.calder)
    await signs(voss, taskId)
    await receiver.until(({ event }) => event?.taskId === taskId && event.status === 'Completed')
    await service.client.readTask({ params: { id: taskId }, query: { includeOutputAttachment: true } })
    await service.client.updateTask({
      params: { id: taskId },
      query: { externalSavedDocumentId: `SAVED-${taskId}` },
    })
    await eventually(async () =>
      expect((await fileOf(taskId)).deliveries.map(({ state }) => state)).to.deep.equal(['delivered', 'delivered']),
    )
    const told = (await sentences(taskId)).map((sentence) => sentence.replace(/key \S+/g, 'key K'))
    expect(told.filter((sentence) => !/^(Received|Completed|Pending)/.test(sentence))).to.deep.equal([
      `Matched to patient ${/patient (\d+)/.exec(told.join())![1]}.`,
      'Routed to Harbor Internal Medicine, the signer’s primary organization.',
      '2 fields placed on the document.',
      'Placed in the inbox of Ruth Calder DO.',
      'Opened by Ian Voss MD for Ruth Calder DO.',
      'Signed by Ian Voss MD for Ruth Calder DO.',
      'The signed document was sealed.',
      'Signed document downloaded by key K of Ann Vale.',
      `Outcome recorded with key K of Ann Vale, saved as SAVED-${taskId}.`,
    ])
    expect(told).to.include.members([
      'Pending sent to Willow document archive: answered 204.',
      'Completed sent to Willow document archive: answered 204.',
    ])
  })

  it('says why a document failed without a path of the interface, which the answer to the sender keeps', async () => {
    const template = aCreateBody().document
    const data = [
      { type: 'VisibleSignature' as const, pageNumber: 1, referenceText: 'nowhere on it', offsetX: 0, offsetY: 0 },
    ]
    const document = { ...template, annotations: { type: 'ReferenceText' as const, data } }
    const taskId = await service.create(aCreateBody({ document }))
    await service.reaches(taskId, 'Failed')
    const { statusReason } = await service.client.readTask({ params: { id: taskId } })
    expect(statusReason).to.match(/^document\.annotations\.data\[0\]\.referenceText was not found/)
    const { story, nextSteps } = await fileOf(taskId)
    expect(story.map(({ sentence }) => sentence).join(' ')).to.include(': Reference text of field 1 was not found in ')
    expect(JSON.stringify([story, nextSteps])).not.to.match(/document\.|data\[/)
  })

  it('says which patient a review decided on, and who decided', async () => {
    const twin = async () => {
      const patient = { externalId: `WILLOW|TWIN${clock.now()}`, identifiers: null }
      const taskId = await service.create(aCreateBody({ patient }))
      await eventually(async () => expect((await fileOf(taskId)).review).to.be.an('object'))
      return taskId
    }
    const [same, different] = [await twin(), await twin()]
    const { review } = await fileOf(same)
    const [{ id = 0 } = {}] = review!.candidates
    await operator.ask('POST', `/admin/v1/tasks/${same}/review`, { decision: 'same', patientId: id })
    await operator.ask('POST', `/admin/v1/tasks/${different}/review`, { decision: 'new' })
    for (const taskId of [same, different]) await service.reaches(taskId, 'Pending')
    expect(await sentences(same)).to.include(`Decided: same person as patient ${id}, by Service operator.`)
    const [decided] = (await sentences(different)).filter((sentence) => sentence.startsWith('Decided'))
    expect(decided).to.match(/^Decided: a different person, new patient \d+, by Service operator\.$/)
    expect(decided).not.to.include(`patient ${id},`)
  })

  it('shows an administrator nothing of the key of another organization that was refused', async () => {
    const taskId = await sent(SIGNER.calder)
    const refused = await service.ask('GET', `/api/v1/signature/tasks/${taskId}`, { key: service.otherKey })
    expect(refused.status).to.equal(404)
    const told = async (visit: Visit) =>
      (await fileOf(taskId, visit)).story.filter(({ outcome }) => outcome === 'refused').map(({ sentence }) => sentence)
    expect(await told(operator)).to.have.length(1)
    expect((await told(operator))[0]).to.match(/^key \S+ of Tom Reed was refused when trying to read the task\.$/)
    expect(await told(administrator)).to.deep.equal([])
  })
})
