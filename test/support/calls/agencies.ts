/**
 * The service of three agencies whose people call its operator: orders that ended in each way, one in review, and receivers of
 * which one accepts nothing. Yesterday evening is yesterday for the service, whose clock is put forward.
 */
import { expect } from 'chai'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { ServiceOptions } from '../../../server/index.ts'
import type { Organization } from '../../../server/operations/operator/messages/organizations.ts'
import type { Opened } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../browser/a-visit.ts'
import { eventually } from '../eventually.ts'
import { type RunningClock, runningClock } from '../fake-clock.ts'
import { TestReceiver } from '../network/test-receiver.ts'
import { aCreateBody, SIGNER } from '../service/a-create-body.ts'
import { aService, type TestService } from '../service/a-service.ts'
import { setUp } from '../service/second-factors.ts'

const PINE = 'Pine Ridge Home Care'
const VOSS = '9999900018'
const TATE = '9999900027'
const HOUR_MS = 3_600_000
const EVENING = 20
const MORNING = 9
const ORDERS_OF_THE_EVENING = 6

/** Who has lost the phone with the authenticator app. */
export const WITHOUT_PHONE = 'Zoe Reyes'

/** Who the caller asks about: names that other patients have too. */
export const PATIENT = { family: 'Whitfield', given: ['Nora'], birthDate: '1948-03-12' } as const

export interface Agencies {
  service: TestService
  /** Accepts everything. */
  ehr: TestReceiver
  /** Answers each callback with 500. */
  archive: TestReceiver
  tasks: { ofPatient: number; inReview: number } & Record<Ending, number>
  /** Waits until a task of the first agency is in the status. */
  reaches(taskId: number, status: TaskStatus): Promise<unknown>
  stop(): Promise<void>
}

export type Ending = 'delegated' | 'scripted' | 'rejected' | 'cancelled'

export interface Directory {
  /** The organizations that send, each with the id of its receiver. */
  senders: readonly { organizationId: number; subscriptionId: number }[]
  /** Signers without an order that a test asks about. */
  signerNpis: readonly string[]
}

interface Options {
  /** A folder, if the store is not in memory. */
  data?: string
  /** Signers in the directory besides those of the demo. */
  signers?: number
  /** Writes the orders of the past while no service has the store open. */
  past?(directory: Directory, now: number): Promise<void>
}

export async function someAgencies({ data, signers = 3, past }: Options = {}): Promise<Agencies> {
  const clock = runningClock()
  toHour(clock, EVENING)
  const options: ServiceOptions = { clock, ...(data && { data }) }
  const [ehr, archive] = [await TestReceiver.start(), await TestReceiver.start()]
  archive.status = 500
  archive.answer = '{"error":"disk full"}'
  let service = await aService(options)
  const keys = [service.key, service.otherKey] as const
  const directory = await makeDirectory(service, ehr, signers)
  if (past) {
    await service.stop()
    await past(directory, clock.now())
    service = await aService(options)
  }
  const client = service.clientOf(keys[0])
  const reaches: Agencies['reaches'] = (taskId, status) => service.reaches(taskId, status, keys[0])
  const world = { ...service, client, create: createBy(client), reaches, clock, key: keys[0] }
  await anEvening(world)
  await eventually(() => expect(ehr.received.length).to.be.at.least(ORDERS_OF_THE_EVENING))
  clock.advance(HOUR_MS * (24 - EVENING))
  toHour(clock, MORNING)
  const tasks = await aMorning(world, archive)
  return {
    service,
    ehr,
    archive,
    tasks,
    reaches,
    stop: async () => void (await Promise.all([service.stop(), ehr.stop(), archive.stop()])),
  }
}

type World = Pick<TestService, 'baseUrl' | 'client' | 'create' | 'signs'> &
  Pick<Agencies, 'reaches'> & {
    clock: RunningClock
    key: string
  }

const createBy =
  (client: TestService['client']): TestService['create'] =>
  async (body) =>
    (await client.createTask({ body })).taskId

/** Puts the clock forward to the next time at which it is this hour, in UTC. */
function toHour(clock: RunningClock, hour: number): void {
  const next = new Date(clock.now())
  next.setUTCHours(hour, 0, 0, 0)
  if (next.getTime() <= clock.now()) next.setUTCDate(next.getUTCDate() + 1)
  clock.advance(next.getTime() - clock.now())
}

/** A third sender, more signers, and a receiver for each sender. */
async function makeDirectory(service: TestService, ehr: TestReceiver, signers: number): Promise<Directory> {
  const operator = aVisit(service.baseUrl)
  await operator.signInAs('Service operator')
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await operator.ask<T>('POST', `/admin/v1${path}`, body)
    expect(answer.status, `${path}: ${answer.errors.join()}`).to.be.within(200, 204)
    return answer.body
  }
  const pine = await post<{ id: number }>('/organizations', {
    name: PINE,
    npi: null,
    addresses: [],
    ingestionEnabled: true,
  })
  const { key: pineKey } = await post<{ key: string }>(`/organizations/${pine.id}/keys`, { personName: 'Lee Park' })
  const harbor = (await organizationsOf(operator)).find(({ name }) => name === 'Harbor Internal Medicine')!
  await operator.ask('PATCH', `/admin/v1/organizations/${harbor.id}`, { allowsDelegation: true })
  const signerNpis = Array.from({ length: signers }, (_, n) => `99998${String(n).padStart(5, '0')}`)
  for (const [n, npi] of signerNpis.entries())
    await post('/providers', {
      npi,
      firstName: 'Iris',
      lastName: `Lane ${n}`,
      signingName: `Iris Lane ${n} MD`,
      organizationIds: [harbor.id],
    })
  const senders: Directory['senders'][number][] = []
  const all = await organizationsOf(operator)
  for (const [name, key, description] of [
    ['Willow Creek Home Health', service.key, 'Willow EHR'],
    ['Northfield Hospice', service.otherKey, 'Northfield EHR'],
    [PINE, pineKey, 'Pine Ridge EHR'],
  ] as const) {
    const body = { url: ehr.url, description }
    const { id, secret } = await service.clientOf(key).createSubscription({ body })
    ehr.secrets.push(secret)
    senders.push({ organizationId: all.find((one) => one.name === name)!.id, subscriptionId: id })
  }
  return { senders, signerNpis }
}

const organizationsOf = async (operator: Visit) =>
  (await operator.ask<Organization[]>('GET', '/admin/v1/organizations')).body

/** Orders whose callbacks the receiver accepts. */
async function anEvening({ create, reaches }: World): Promise<void> {
  for (let n = 0; n < ORDERS_OF_THE_EVENING; n++) {
    const names = [{ family: 'Evening', given: [`Ida ${n}`] }]
    const taskId = await create(aCreateBody({ patient: { externalId: `EVENING|${n}`, names, identifiers: null } }))
    await reaches(taskId, 'Pending')
  }
}

async function aMorning(world: World, archive: TestReceiver): Promise<Agencies['tasks']> {
  const { baseUrl, client, create, reaches, signs, clock, key } = world
  const { secret } = await client.createSubscription({ body: { url: archive.url, description: 'Willow archive' } })
  archive.secrets.push(secret)
  const [calder, voss, operator] = [aVisit(baseUrl), aVisit(baseUrl), aVisit(baseUrl)]
  await calder.signInAs('Ruth Calder DO')
  await voss.signInAs('Ian Voss MD')
  await operator.signInAs('Service operator')
  await delegate(calder, operator, clock)
  await withPhone(baseUrl, operator, clock)
  const pending = async (userNPI: string, externalId: string, patient: object = {}) => {
    const taskId = await create(
      aCreateBody({ performer: { signer: { userNPI } }, patient: { externalId, identifiers: null, ...patient } }),
    )
    await reaches(taskId, 'Pending')
    return taskId
  }
  const { birthDate, ...name } = PATIENT
  const ofPatient = await pending(SIGNER.calder, 'CALL|1', { names: [{ ...name, given: [...name.given] }], birthDate })
  await signs(ofPatient, key)
  const delegated = await pending(SIGNER.calder, 'CALL|2', namedAs('Delegated'))
  await signInInbox(voss, delegated)
  const [scripted, rejected] = [
    await pending(SIGNER.marsh, 'CALL|3', namedAs('Scripted')),
    await pending(TATE, 'CALL|4', namedAs('Rejected')),
  ]
  clock.advance(11_000)
  await reaches(scripted, 'Completed')
  await reaches(rejected, 'Rejected')
  const cancelled = await pending(SIGNER.calder, 'CALL|5', namedAs('Cancelled'))
  const cancelling = `/admin/v1/tasks/${cancelled}/cancel`
  expect((await operator.ask('POST', cancelling, { reason: 'Sent in error' })).status).to.equal(204)
  const known = namedAs('Twin')
  await pending(SIGNER.calder, 'CALL|6', known)
  const inReview = await create(aCreateBody({ patient: { ...known, externalId: 'CALL|7', identifiers: null } }))
  await eventually(async () => {
    const { body } = await operator.ask<{ review: unknown }>('GET', `/admin/v1/tasks/${inReview}`)
    expect(body.review).to.be.an('object')
  })
  return { ofPatient, delegated, scripted, rejected, cancelled, inReview }
}

const namedAs = (family: string) => ({ names: [{ family, given: ['Ida'] }] })

/** An account with a second factor. */
async function withPhone(baseUrl: string, operator: Visit, clock: RunningClock): Promise<void> {
  const password = 'correct horse battery staple'
  const account = { email: 'zoe@agency.example', name: WITHOUT_PHONE, role: 'operator', password }
  expect((await operator.ask('POST', '/admin/v1/accounts', account)).status).to.equal(201)
  const visit = aVisit(baseUrl)
  await visit.signIn(account.email, password)
  await setUp(visit, password, { ...clock, nextCode: () => {} })
}

async function delegate(calder: Visit, operator: Visit, clock: RunningClock): Promise<void> {
  type Listed = { npi: string; organizations: { id: number }[] }
  const { body } = await operator.ask<Listed[]>('GET', '/admin/v1/providers')
  const placesOf = (npi: string) => body.find((one) => one.npi === npi)!.organizations.map(({ id }) => id)
  const [harbor = 0] = placesOf(SIGNER.calder)
  await operator.ask('PATCH', `/admin/v1/providers/${VOSS}`, { organizationIds: [...placesOf(VOSS), harbor] })
  const from = (ms: number) => new Date(clock.now() + ms).toISOString()
  const delegation = { delegateNpi: VOSS, organizationId: harbor, startsAt: from(0), endsAt: from(24 * HOUR_MS) }
  expect((await calder.ask('POST', '/inbox/api/delegations', delegation)).status).to.equal(201)
}

async function signInInbox(visit: Visit, taskId: number): Promise<void> {
  const path = `/inbox/api/documents/${taskId}`
  const { sha256 } = (await visit.ask<Opened>('GET', path)).body
  await visit.ask('GET', `${path}/pages`)
  const body = { sha256, values: {}, drawn: null, timeZone: 'UTC', keep: false }
  expect((await visit.ask('POST', `${path}/sign`, body)).status).to.equal(204)
}
