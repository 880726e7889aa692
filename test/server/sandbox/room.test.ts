/** The control room by HTTP: who may use it and for whom, sample orders, signers that act as chosen, and lessons with verdicts. */
import { expect } from 'chai'
import { createOnce } from '../../../lib/client/once/create-once.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { sampleDocuments, samplePatients, samplePlacements } from '../../../server/operations/sandbox/orders/orders.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const PAGE = { 'x-page-place': 'console' }
const ORDER = { patient: 'usual', document: 'order', placement: 'coordinates', signer: SIGNER.calder }

interface Sent {
  taskId: number | null
  status: number | null
  errors: string[]
}
interface Room {
  organization: { id: number; name: string }
  organizations: { id: number; name: string }[]
}
interface Card {
  name: string
  isOn: boolean
  hits: number
  verdict: { isGood: boolean; why: string } | null
}

describe('the control room', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())
  beforeEach(() => service.ask('POST', '/sandbox/v1/reset'))

  const visitAs = async (name: string): Promise<Visit> => {
    const visit = aVisit(service.baseUrl)
    await visit.signInAs(name)
    return visit
  }
  const post = <T>(path: string, body: object) => service.ask<T>('POST', `/sandbox/v1/${path}`, { body })
  const send = async (change: object = {}) => (await post<Sent[]>('orders', { ...ORDER, ...change })).body

  describe('for a person', () => {
    it('is open to operators for each sender, and to administrators for their own', async () => {
      const operator = await visitAs('Service operator')
      const { body: room } = await operator.ask<Room>('GET', '/sandbox/v1/room', undefined, PAGE)
      expect(room.organizations.map(({ name }) => name)).to.have.members([
        'Willow Creek Home Health',
        'Northfield Hospice',
      ])
      const northfield = room.organizations.find(({ name }) => name === 'Northfield Hospice')!
      const chosen = { ...PAGE, 'x-sandbox-organization': String(northfield.id) }
      const there = await operator.ask<Room>('GET', '/sandbox/v1/room', undefined, chosen)
      expect(there.body.organization).to.deep.equal(northfield)
      const administrator = await visitAs('Willow Creek administrator')
      const own = await administrator.ask<Room>('GET', '/sandbox/v1/room', undefined, PAGE)
      expect(own.body.organizations).to.deep.equal([own.body.organization])
      expect((await administrator.ask('GET', '/sandbox/v1/room', undefined, chosen)).status).to.equal(403)
    })

    it('is closed to signers, to strangers, and to an organization that is no sender', async () => {
      expect((await aVisit(service.baseUrl).ask('GET', '/sandbox/v1/room', undefined, PAGE)).status).to.equal(401)
      const signer = await visitAs('Ruth Calder DO')
      const asInbox = { 'x-page-place': 'inbox' }
      expect((await signer.ask('GET', '/sandbox/v1/room', undefined, asInbox)).status).to.equal(403)
      const operator = await visitAs('Service operator')
      for (const id of ['1', '0', '-1', '999', 'x', ''])
        if (id !== '') {
          const change = { ...PAGE, 'x-sandbox-organization': id }
          expect((await operator.ask('GET', '/sandbox/v1/room', undefined, change)).status, id).to.equal(403)
        }
    })

    it('changes nothing for a page of another site, or without the token', async () => {
      const operator = await visitAs('Service operator')
      for (const change of [{ 'x-page-token': '' }, { 'x-page-token': 'x' }, { origin: 'https://evil.example' }])
        for (const [path, body] of [
          ['orders', ORDER],
          ['clock', { advanceSeconds: 60 }],
          ['reset', undefined],
          ['lessons/host-down', { isOn: true }],
        ] as const) {
          const answer = await operator.ask('POST', `/sandbox/v1/${path}`, body, { ...PAGE, ...change })
          expect(answer.status, `${path} ${JSON.stringify(change)}`).to.equal(403)
        }
      expect(await service.client.listTasks()).to.deep.equal([])
    })
  })

  describe('sends sample orders', () => {
    it('of each patient, document and placement, as a sender would', async () => {
      for (const patient of samplePatients) expect((await send({ patient }))[0]!.status, patient).to.equal(201)
      for (const document of sampleDocuments)
        expect((await send({ document }))[0]!.status, document).to.equal(document === 'damaged' ? 400 : 201)
      for (const placement of samplePlacements)
        for (const { taskId } of await send({ placement })) await service.reaches(taskId!, 'Pending')
    })

    it('several at once, each with an id of its own, and says how the service refused one', async () => {
      const sent = await send({ times: 3 })
      expect(new Set(sent.map(({ taskId }) => taskId)).size).to.equal(3)
      const [damaged] = await send({ document: 'damaged' })
      expect(damaged!.errors.join()).to.match(/PDF/)
    })

    it('so that planned faults hit them: an answer is lost, and a task is there', async () => {
      await post('faults', { on: 'request', operation: 'createTask', fault: 'lose-answer', times: 1 })
      const [sent] = await send()
      expect(sent).to.include({ taskId: null, status: null })
      expect(await service.client.listTasks()).to.have.length(1)
    })

    it('and says when the service could not take one', async () => {
      await post('faults', { on: 'request', operation: 'createTask', fault: 'refuse', status: 503, times: 1 })
      expect((await send())[0]).to.include({ taskId: null, status: 503 })
    })

    it('whose body any program can send', async () => {
      const { body } = await post<ReturnType<typeof aCreateBody>>('orders/body', ORDER)
      expect((await service.client.createTask({ body })).taskId).to.be.a('number')
    })

    for (const change of [{ patient: 'me' }, { signer: '12' }, { times: 21 }, { extra: 1 }])
      it(`refuses ${JSON.stringify(change)}`, async () => {
        expect((await post('orders', { ...ORDER, ...change })).status).to.equal(400)
      })
  })

  describe('lets signers act as chosen', () => {
    it('sign, reject with a reason, or wait, for one organization alone', async () => {
      const choose = (script: object) => post(`signers/${SIGNER.calder}`, script)
      await choose({ act: 'reject', afterSeconds: 0, reason: 'Wrong chart' })
      const [rejected] = await send()
      expect((await service.reaches(rejected!.taskId!, 'Rejected')).statusReason).to.include('Wrong chart')
      await choose({ act: 'sign', afterSeconds: 0 })
      const [signed] = await send()
      await service.reaches(signed!.taskId!, 'Completed')
      const theirs = (await service.other.createTask({ body: aCreateBody() })).taskId
      await service.reaches(theirs, 'Pending', service.otherKey)
      await post('clock', { advanceSeconds: 3600 })
      await service.reaches(theirs, 'Pending', service.otherKey)
      await post(`signers/${SIGNER.marsh}`, { act: 'wait' })
      const [waiting] = await send({ signer: SIGNER.marsh })
      await service.reaches(waiting!.taskId!, 'Pending')
      await post('clock', { advanceSeconds: 3600 })
      await service.reaches(waiting!.taskId!, 'Pending')
    })

    it('on a share of the documents', async () => {
      await post(`signers/${SIGNER.calder}`, { act: 'sign', afterSeconds: 0, share: 0 })
      const [waiting] = await send()
      await service.reaches(waiting!.taskId!, 'Pending')
      await post('clock', { advanceSeconds: 3600 })
      await service.reaches(waiting!.taskId!, 'Pending')
    })

    it('refuses a signer whom nobody knows', async () => {
      expect((await post(`signers/${SIGNER.unknown}`, { act: 'wait' })).status).to.equal(404)
    })
  })

  describe('has lessons', () => {
    const cardOf = async (name: string) =>
      (await service.ask<Card[]>('GET', '/sandbox/v1/lessons')).body.find((card) => card.name === name)!
    const on = (name: string) => post(`lessons/${name}`, { isOn: true })

    it('that are off at first, prove nothing yet, and end with a reset', async () => {
      await on('host-down')
      expect((await cardOf('host-down')).isOn).to.equal(true)
      await service.ask('POST', '/sandbox/v1/reset')
      const { body } = await service.ask<Card[]>('GET', '/sandbox/v1/lessons')
      expect(body.filter(({ isOn, verdict }) => isOn || verdict)).to.deep.equal([])
      expect((await post('lessons/unknown', { isOn: true })).status).to.equal(400)
    })

    it('lost answer: a sender that looks first is good, one that sends again is not', async () => {
      await on('lost-answer')
      const body = aCreateBody({ document: { externalDocId: 'EHR|LESSON-1' } })
      const journal = await openJournal(':memory:', 'creates')
      const once = createOnce({ client: service.client, journal, scope: 'test', settleMs: 3_000 })
      await once.createTask(body)
      await eventually(async () => expect((await cardOf('lost-answer')).verdict).to.include({ isGood: true }))
      expect(await cardOf('lost-answer')).to.include({ isOn: false, hits: 1 })
      await service.create(body)
      await eventually(async () => expect((await cardOf('lost-answer')).verdict).to.include({ isGood: false }))
    })

    it('429: a sender that does not wait is not good', async () => {
      await on('too-many')
      const body = aCreateBody({ document: { externalDocId: 'EHR|LESSON-2' } })
      for (let n = 0; n < 3; n++) await service.client.createTask({ body }).catch(() => {})
      await eventually(async () => expect((await cardOf('too-many')).verdict?.why).to.include('Retry-After'))
    })

    it('switches off what is still planned, and leaves other faults alone', async () => {
      await on('forged-webhooks')
      await post('faults', { on: 'request', fault: 'delay', delaySeconds: 1 })
      await post('lessons/forged-webhooks', { isOn: false })
      const { body } = await service.ask<{ fault: string }[]>('GET', '/sandbox/v1/faults')
      expect(body.map(({ fault }) => fault)).to.deep.equal(['delay'])
    })
  })

  it('says what is due, and stops the clock on its way', async () => {
    await send({ signer: SIGNER.marsh })
    const due = () => service.ask<{ nextAt: string | null }>('GET', '/sandbox/v1/clock/due')
    await eventually(async () => expect((await due()).body.nextAt).to.be.a('string'))
    const stopped = await service.ask<{ reached: boolean }>('DELETE', '/sandbox/v1/clock')
    expect(stopped.body.reached).to.equal(true)
  })
})
