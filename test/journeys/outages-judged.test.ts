/** The journey of outages names what broke: each promise is broken once, and planned rounds hold every kind of outage. */
import { expect } from 'chai'
import type { Task } from '../../lib/contract/task/task.ts'
import type { Acknowledged } from '../support/load/acknowledged.ts'
import { brokenPromises, type Found, isSettled } from '../support/load/broken.ts'
import type { Receiver } from '../support/load/receiver.ts'
import { type Outage, planOf } from '../support/outages/plan.ts'
import { unexpectedEndings } from '../support/outages/unexpected-endings.ts'
import { randomFrom } from '../support/random.ts'

/** What a receiver was told: the ids of events, by task and status. */
type Told = Record<number, Record<string, string[]>>

const receiverThatHeard = (told: Told, unproven = 0): Receiver => ({
  at: (path) => `http://127.0.0.1:9${path}`,
  secret: '',
  eventIds: (taskId, status) => new Set(told[taskId]?.[status]),
  statusesOf: (taskId) => Object.keys(told[taskId] ?? {}),
  tasks: () => Object.keys(told).map(Number),
  counts: { accepted: 0, refused: 0, unproven },
  stop: async () => {},
})

const task = (taskId: number, status: Task['status']) => ({ taskId, status }) as Task
const subscription = { id: 1, url: 'https://a.example.org/', isActive: true }

/** One task was signed and one waits; both were told. */
const acknowledged: Acknowledged = {
  created: new Set([1, 2]),
  outcomes: new Map([[1, 'Completed']]),
  urls: new Map([[1, ['https://a.example.org/']]]),
}
const told: Told = { 1: { Pending: ['a'], Completed: ['b'] }, 2: { Pending: ['c'] } }
const found: Found = {
  tasks: [task(1, 'Completed'), task(2, 'Pending')],
  subscriptions: [subscription],
  receivers: { only: receiverThatHeard(told) },
}
const heard = (told: Told, unproven?: number): Found => ({
  ...found,
  receivers: { only: receiverThatHeard(told, unproven) },
})

describe('What an outage broke', () => {
  it('is nothing when all holds', () => {
    expect(brokenPromises(acknowledged, found)).to.deep.equal([])
    expect(isSettled(found)).to.equal(true)
  })

  const cases: Record<string, Found> = {
    '1 × acknowledged task is gone: 2': { ...heard({ 1: told[1]! }), tasks: [task(1, 'Completed')] },
    '1 × acknowledged outcome does not hold: 1 was Completed and is Pending': {
      ...heard({ 1: { Pending: ['a'] }, 2: { Pending: ['c'] } }),
      tasks: [task(1, 'Pending'), task(2, 'Pending')],
    },
    '1 × task is stuck: 2 is Processing': {
      ...heard({ 1: told[1]! }),
      tasks: [task(1, 'Completed'), task(2, 'Processing')],
    },
    '1 × subscription points elsewhere: 1': {
      ...found,
      subscriptions: [{ ...subscription, url: 'https://b.example.org/' }],
    },
    '1 × subscription is not active: 1': { ...found, subscriptions: [{ ...subscription, isActive: false }] },
    '1 × change was not delivered to the only receiver: 1 Pending': heard({ ...told, 1: { Completed: ['b'] } }),
    '1 × change was delivered to the only receiver with more than one eventId: 2 Pending': heard({
      ...told,
      2: { Pending: ['c', 'd'] },
    }),
    '1 × change was told to the only receiver and did not happen: 2 Retracted': heard({
      ...told,
      2: { Pending: ['c'], Retracted: ['d'] },
    }),
    '1 × callback to the only receiver was not proven': heard(told, 1),
  }
  for (const [sentence, broken] of Object.entries(cases))
    it(`is told: ${sentence}`, () => expect(brokenPromises(acknowledged, broken)).to.deep.equal([sentence]))

  it('is waited for as long as a task is on its way or a change is untold', () => {
    expect(isSettled({ ...found, tasks: [...found.tasks, task(3, 'Received')] })).to.equal(false)
    expect(isSettled(heard({ 1: told[1]! }))).to.equal(false)
  })
})

describe('A call that fails during an outage', () => {
  const fails = (ending: string, behindProxy = false) => unexpectedEndings(new Map([[ending, 2]]), behindProxy)

  it('may meet nobody, or a service that says when to come again', () => {
    for (const ending of ['create 201', 'create ECONNREFUSED', 'sign ECONNRESET', 'sign 503'])
      expect(fails(ending), ending).to.deep.equal([])
  })

  it('may not meet a fault of the service, or one that does not answer', () => {
    for (const ending of ['create 500', 'create 400 attachment: …', 'read 404 …', 'read ETIMEDOUT'])
      expect(fails(ending)).to.deep.equal([`2 × ${ending}`])
    expect(fails('sign 503 without Retry-After')).to.have.length(1)
  })

  it('may meet a proxy before which nobody is, and which repeats a DELETE', () => {
    for (const ending of ['create 502', 'sign 504', 'retract 400 Task n is Retracted']) {
      expect(fails(ending, true), ending).to.deep.equal([])
      expect(fails(ending), ending).to.have.length(1)
    }
    expect(fails('create 400 attachment: …', true)).to.have.length(1)
  })
})

describe('A plan of outages', () => {
  const kinds: Outage[] = ['kill', 'kill twice', 'kill all', 'restart fast', 'restart immediate']
  const plan = (seed: number) => planOf(randomFrom(seed), 20, kinds, 2)

  it('is the same for the same seed, and another one for another', () => {
    expect(plan(5)).to.deep.equal(plan(5))
    expect(plan(5)).not.to.deep.equal(plan(6))
  })

  it('holds every kind, for every instance', () => {
    const outages = plan(5).flatMap((round) => round.outages)
    expect(new Set(outages.map(({ kind }) => kind))).to.deep.equal(new Set(kinds))
    expect(new Set(outages.map(({ instance }) => instance))).to.deep.equal(new Set([0, 1]))
  })
})
