/** Whether a change of a task was made although its call failed: every error of the call, and everything that the task may say then. */
import { expect } from 'chai'
import {
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from '../../../../lib/client/errors.ts'
import { bodyHash } from '../../../../lib/client/once/body-hash.ts'
import { outcomeOfCreate } from '../../../../lib/client/once/create-outcome.ts'
import { recordOnce, type SavedOutcome } from '../../../../lib/client/once/record-once.ts'
import { retractOnce } from '../../../../lib/client/once/retract-once.ts'
import { TaskStatusError } from '../../../../lib/client/task-status-error.ts'
import type { Task, TaskStatus } from '../../../../lib/contract/task/task.ts'
import { taskStatuses } from '../../../../lib/contract/task/task-status.ts'
import { FakeClock } from '../../../support/fake-clock.ts'

const REFUSED = new RefusedError('updateTask', 400, ['no'])
const LOST = new UnreachableError('updateTask', 'ECONNRESET', true)
/** With these the change was certainly not made. */
const NOT_MADE = [
  new UnreachableError('updateTask', 'ECONNREFUSED', false),
  new UnauthorizedError('updateTask', 401, ['no']),
  new RateLimitedError('updateTask', ['later']),
  new Error('another one'),
]
const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

/** A host whose changes fail with these errors, one after the other, and then work. */
function aHost(failures: readonly unknown[], tasks: readonly Partial<Task>[] | Error) {
  const left = [...failures]
  const states = tasks instanceof Error ? [] : [...tasks]
  const calls: unknown[] = []
  const change = async (...asked: unknown[]) => {
    calls.push(asked)
    if (left.length > 0) throw left.shift()
    return undefined
  }
  return {
    calls,
    reads: [] as unknown[],
    updateTask: change,
    retractTask: change,
    async readTask(...asked: unknown[]) {
      this.reads.push(asked)
      if (tasks instanceof Error) throw tasks
      return (states.length > 1 ? states.shift() : states[0]) as Task
    },
  }
}

describe('Whether an outcome was recorded', () => {
  const saved: SavedOutcome = { externalSavedDocumentId: 'EHR-1', saved: true, archived: true }
  const whole = { externalSavedDocumentId: 'EHR-1', isArchived: true, isFiled: true }
  const recorded = (failure: unknown, output: unknown, outcome = saved) =>
    outcomeOf(recordOnce(aHost([failure], [{ output } as Partial<Task>]), 7, outcome))

  it('is read from the task after a refusal and after a lost answer, with the signal of the call', async () => {
    const { signal } = new AbortController()
    for (const failure of [REFUSED, LOST]) {
      const host = aHost([failure], [{ output: whole } as Partial<Task>])
      expect(await recordOnce(host, 7, saved, { signal })).to.deep.equal({ repeated: true })
      expect(host.calls).to.deep.equal([[{ params: { id: 7 }, query: saved }, { signal }]])
      expect(host.reads).to.deep.equal([[{ params: { id: 7 } }, { signal }]])
    }
  })

  it('is known without reading when the call worked, or cannot have been made', async () => {
    const host = aHost([], new Error('not read'))
    expect(await recordOnce(host, 7, saved)).to.deep.equal({ repeated: false })
    for (const failure of NOT_MADE) {
      const failing = aHost([failure], [{ output: whole } as Partial<Task>])
      expect(await outcomeOf(recordOnce(failing, 7, saved))).to.equal(failure)
      expect(failing.reads).to.deep.equal([])
    }
  })

  it('is not known when the task cannot be read: the error of the call remains', async () => {
    expect(await outcomeOf(recordOnce(aHost([LOST], new Error('away')), 7, saved))).to.equal(LOST)
  })

  for (const output of [
    undefined,
    null,
    {},
    { ...whole, externalSavedDocumentId: 'EHR-2' },
    { ...whole, externalSavedDocumentId: null },
    { ...whole, isArchived: false },
    { ...whole, isArchived: undefined },
    { ...whole, isFiled: false },
    { ...whole, isFiled: null },
  ])
    it(`is not the case when the task has ${JSON.stringify(output)}`, async () =>
      expect(await recorded(LOST, output)).to.equal(LOST))

  it('needs nothing that was not asked for', async () => {
    const { externalSavedDocumentId } = saved
    const found = { externalSavedDocumentId, isArchived: false, isFiled: null }
    expect(await recorded(LOST, found, { externalSavedDocumentId })).to.deep.equal({ repeated: true })
    expect(await recorded(LOST, { ...found, isFiled: true }, { externalSavedDocumentId, saved: true })).to.deep.equal({
      repeated: true,
    })
  })
})

describe('Whether a task was retracted', () => {
  /** Pauses end at once, and are noted. */
  function skipping() {
    const clock = new FakeClock()
    const pauses: number[] = []
    const sleep = async (ms: number) => {
      pauses.push(ms)
      await clock.advance(ms)
    }
    return { pauses, clock: { ...clock, now: clock.now, sleep } }
  }

  const ENDED = {
    Retracted: (result: unknown) => expect(result).to.deep.equal({ repeated: true }),
    Completed: (result: unknown) =>
      expect(result)
        .to.be.instanceOf(TaskStatusError)
        .and.include({ code: 'ALREADY_SIGNED', taskId: 7, taskStatus: 'Completed' }),
  }
  for (const status of taskStatuses)
    for (const failure of [REFUSED, LOST])
      it(`is judged by ${status} after ${failure.name}`, async () => {
        const { clock, pauses } = skipping()
        const result = await outcomeOf(retractOnce(aHost([failure], [{ status }]), 7, { clock }))
        if (status === 'Retracted' || status === 'Completed') ENDED[status](result)
        else expect(result).to.equal(failure)
        expect(pauses).to.deep.equal([])
      })

  it('is sent with its reason, and without one when there is none', async () => {
    const host = aHost([], new Error('not read'))
    expect(await retractOnce(host, 7, { reason: 'Corrected' })).to.deep.equal({ repeated: false })
    await retractOnce(host, 7, { reason: undefined, timeoutMs: 5 })
    expect(host.calls).to.deep.equal([
      [{ params: { id: 7 }, query: { reason: 'Corrected' } }, {}],
      [{ params: { id: 7 }, query: {} }, { timeoutMs: 5 }],
    ])
  })

  it('is tried again, with longer pauses, while the task is on its way into the inbox', async () => {
    const { clock, pauses } = skipping()
    const statuses: TaskStatus[] = ['Received', 'Processing', 'Processing', 'Processing', 'Processing', 'Pending']
    const host = aHost(
      Array(6).fill(REFUSED),
      statuses.map((status) => ({ status })),
    )
    expect(await retractOnce(host, 7, { clock, patienceMs: 60_000 })).to.deep.equal({ repeated: false })
    expect(pauses).to.deep.equal([500, 1000, 2000, 4000, 5000, 5000])
    expect(host.calls).to.have.length(7)
  })

  it('is tried until the time is over, and not a moment longer', async () => {
    for (const [patienceMs, tries] of [
      [499, 1],
      [500, 2],
      [1499, 2],
      [1500, 3],
    ] as const) {
      const { clock } = skipping()
      const host = aHost(Array(9).fill(REFUSED), [{ status: 'Processing' }])
      expect(await outcomeOf(retractOnce(host, 7, { clock, patienceMs }))).to.equal(REFUSED)
      expect(host.calls, `${patienceMs} ms`).to.have.length(tries)
    }
  })

  it('is not tried again when the task ended on its way, or is refused in the inbox', async () => {
    for (const status of ['Failed', 'Cancelled', 'Rejected'] as const) {
      const host = aHost([REFUSED, REFUSED], [{ status: 'Processing' }, { status }])
      expect(await outcomeOf(retractOnce(host, 7, { clock: skipping().clock, patienceMs: 60_000 }))).to.equal(REFUSED)
      expect(host.calls, status).to.have.length(2)
    }
    const host = aHost(
      Array(9).fill(REFUSED),
      ['Processing', 'Pending', 'Pending'].map((status) => ({ status }) as Task),
    )
    expect(await outcomeOf(retractOnce(host, 7, { clock: skipping().clock, patienceMs: 60_000 }))).to.equal(REFUSED)
    expect(host.calls).to.have.length(3)
  })

  it('ends when its caller gives up during a pause', async () => {
    const given = new AbortController()
    const reason = new Error('given up')
    const clock = {
      ...new FakeClock(),
      now: () => 0,
      sleep: async (_: number, signal?: AbortSignal) => {
        given.abort(reason)
        signal?.throwIfAborted()
      },
    }
    const host = aHost(Array(9).fill(REFUSED), [{ status: 'Processing' }])
    const options = { clock, patienceMs: 60_000, signal: given.signal }
    expect(await outcomeOf(retractOnce(host, 7, options))).to.equal(reason)
    expect(host.calls).to.have.length(1)
  })
})

describe('Whether a task was created', () => {
  const refused = (status: number) => new RefusedError('createTask', status, ['no'])
  const unexpected = (status: number) => new UnexpectedResponseError('createTask', status, ['a page'])
  const outcomes: [ReturnType<typeof outcomeOfCreate>, unknown[]][] = [
    [
      'new',
      [new UnauthorizedError('createTask', 401, ['no']), new RateLimitedError('createTask', ['later']), refused(429)],
    ],
    ['new', [new UnreachableError('createTask', 'ECONNREFUSED', false)]],
    ['refused', [refused(400), refused(404), refused(409), refused(422)]],
    ['refused', [301, 307, 308, 404, 405].map(unexpected)],
    ['unknown', [refused(408), new UnreachableError('createTask', 'ETIMEDOUT', true), new Error('another one')]],
    ['unknown', [200, 201, 302, 303, 500].map(unexpected)],
  ]
  for (const [outcome, failures] of outcomes)
    it(`is ${outcome} after ${failures.map((failure) => (failure as Error).message.slice(0, 40)).join(', ')}`, () =>
      expect(failures.map(outcomeOfCreate)).to.deep.equal(failures.map(() => outcome)))
})

describe('Whether two bodies are the same', () => {
  const body = {
    patient: { names: [{ family: 'Rowan', given: ['Tess', 'May'] }, { family: 'Lund' }], ids: [1, 2] },
    document: { id: 'D', text: 'a' },
  }
  const changed = (change: (copy: typeof body) => void) => {
    const copy = structuredClone(body)
    change(copy)
    return bodyHash(copy)
  }

  it('does not depend on the order of keys, at any depth', () => {
    const { patient, document } = body
    const [first, second] = patient.names
    const other = {
      document: { text: 'a', id: 'D' },
      patient: { ids: [1, 2], names: [{ given: first!.given, family: 'Rowan' }, second] },
    }
    expect(bodyHash(other)).to.equal(bodyHash({ patient, document }))
    expect(bodyHash({ a: 1, b: 2, c: 3 })).to.equal(bodyHash({ c: 3, a: 1, b: 2 }))
  })

  it('depends on every value, also within lists, on their order, and on what is a list', () => {
    const hashes = [
      bodyHash(body),
      changed(({ patient }) => (patient.names[0]!.family = 'Rowen')),
      changed(({ patient }) => (patient.names[0]!.given![1] = 'Mae')),
      changed(({ patient }) => patient.names[0]!.given!.reverse()),
      changed(({ patient }) => patient.names.reverse()),
      changed(({ patient }) => patient.names.pop()),
      changed(({ patient }) => (patient.ids[0] = 2)),
      changed(({ patient }) => (patient.ids = [12])),
      changed(({ document }) => (document.text = 'b')),
      changed(({ document }) => Object.assign(document, { more: null })),
      bodyHash({ ...body, patient: { ...body.patient, ids: { 0: 1, 1: 2 } } }),
    ]
    expect(new Set(hashes).size).to.equal(hashes.length)
  })
})
