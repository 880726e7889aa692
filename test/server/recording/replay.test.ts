/** Which recorded answer a call gets, and what it is told when there is none. */
import { expect } from 'chai'
import { defaultProfile } from '../../../lib/profile/parse-profile.ts'
import { type Exchange, FORMAT } from '../../../server/recording/exchange.ts'
import { createReplay } from '../../../server/recording/replay.ts'

const TASKS = '/api/v1/signature/tasks'
const RECORDING = '6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11'

let count = 0
const exchange = (
  operation: Exchange['operation'],
  [method, path]: [string, string],
  body: NonNullable<Exchange['answer']['body']>,
  request: Partial<Exchange['request']> = {},
): Exchange => ({
  format: FORMAT,
  recording: RECORDING,
  number: ++count,
  operation,
  request: { method, path, query: {}, ...request },
  answer: { status: 200, body },
  withheld: 0,
})

const read = (taskId: number, status: string) =>
  exchange('readTask', ['GET', `${TASKS}/${taskId}`], { taskId, status, externalDocId: 'externalDocId-1' })
const list = (query: Record<string, string[]>, taskId: number) =>
  exchange('listTasks', ['GET', TASKS], [{ taskId, status: 'Pending', externalDocId: 'externalDocId-1' }], { query })

describe('a replay', () => {
  beforeEach(() => {
    count = 0
  })

  const replay = (...exchanges: Exchange[]) => {
    const { answer } = createReplay({ profile: defaultProfile, exchanges })
    return (target: string, method = 'GET', body?: unknown) => answer(method, target, body)
  }
  const bodyOf = (answer: ReturnType<ReturnType<typeof replay>>) => ('body' in answer ? answer.body : answer.errors)

  it('answers a call that is repeated with the next answer, and stays with the last', () => {
    const answer = replay(read(1001, 'Received'), read(1002, 'Failed'), read(1001, 'Pending'))
    const statuses = [1, 2, 3].map(() => (bodyOf(answer(`${TASKS}/1001`)) as { status: string }).status)
    expect(statuses).to.deep.equal(['Received', 'Pending', 'Pending'])
    expect(bodyOf(answer(`${TASKS}/1002`))).to.include({ status: 'Failed' })
  })

  it('tells calls apart by their parameters, in any order, but not by private values', () => {
    const answer = replay(
      list({ status: ['Pending'], limit: ['5'] }, 1),
      list({ status: ['Completed'] }, 2),
      list({ externalDocId: ['externalDocId-1'] }, 3),
    )
    const idAt = (query: string) => (bodyOf(answer(`${TASKS}?${query}`)) as { taskId: number }[])[0]!.taskId
    expect(idAt('status=Completed')).to.equal(2)
    expect(idAt('limit=5&status=Pending')).to.equal(1)
    expect(idAt('externalDocId=Anything')).to.equal(3)
  })

  it('puts what the caller sends in the place of its stand-in, in all answers from then on', () => {
    const answer = replay(read(1, 'Pending'), list({ externalDocId: ['externalDocId-1'] }, 1))
    expect(bodyOf(answer(`${TASKS}/1`))).to.include({ externalDocId: 'externalDocId-1' })
    answer(`${TASKS}?externalDocId=ORDER-7`)
    expect(bodyOf(answer(`${TASKS}/1`))).to.include({ externalDocId: 'ORDER-7' })
  })

  it('compares the fields of a body, and not its texts', () => {
    const place = ['POST', '/api/v1/signature/webhooks'] as [string, string]
    const made = { id: 1, url: 'https://receiver-1.example.invalid/', secret: 'c2VjcmV0' }
    const request = { body: { url: 'https://receiver-1.example.invalid/' } }
    const answer = replay(exchange('createSubscription', place, made, request))
    const mine = 'https://mine.example.org/x'
    expect(bodyOf(answer(place[1], 'POST', { url: mine }))).to.include({ id: 1, url: mine })
    const other = answer(place[1], 'POST', { url: mine, description: 'Mine' })
    expect(bodyOf(other)).to.deep.equal([
      'The recording holds no createSubscription like this one.',
      'Recorded call 1, POST /api/v1/signature/webhooks, differs in the fields of the body.',
    ])
  })

  it('names the recorded calls that come closest, and nothing of the call', () => {
    const answer = replay(read(1001, 'Pending'), list({ status: ['Pending'] }, 1))
    expect(answer(`${TASKS}/7?includeOutputAttachment=true`)).to.deep.equal({
      operation: 'readTask',
      errors: [
        'The recording holds no readTask like this one.',
        `Recorded call 1, GET ${TASKS}/1001, differs in the path and the parameters.`,
      ],
    })
    expect(answer('/api/v1/users/providers/9999900019')).to.deep.equal({
      operation: 'findProvider',
      errors: ['The recording holds no findProvider. It holds readTask, listTasks.'],
    })
    expect(bodyOf(answer('/patients/Alma'))).to.deep.equal(['The interface has no call with this method and path.'])
  })
})
