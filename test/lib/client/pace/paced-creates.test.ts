/** Create-once at its turn: a document that only waits is not taken for sent. */
import { expect } from 'chai'
import { RateLimitedError } from '../../../../lib/client/errors.ts'
import { type CreateEntry, createKey } from '../../../../lib/client/once/create-once-entry.ts'
import { createPacer } from '../../../../lib/client/pace/pacer.ts'
import { serviceScope } from '../../../../lib/client/service-scope.ts'
import { aCreateBody } from '../../support/bodies.ts'
import { created, creating } from '../once/creating.ts'

describe('creating tasks at a host that limits calls', () => {
  const { clock, journal, host, calls, anOnce, failure } = creating()
  const tooMany = (seconds: number) => new RateLimitedError('createTask', ['too many'], seconds)
  const aPacer = () => createPacer({ concurrency: 1, patienceMs: 600_000, clock, random: () => 0.5 })
  const entryOf = (externalDocId: string) =>
    journal.get<CreateEntry>(createKey(serviceScope('https://sign.example.org/', 'key'), externalDocId))

  it('sends as often as the host asks to come again, however few its attempts are', async () => {
    host.posts = [...Array.from({ length: 9 }, () => tooMany(20)), created]
    const once = anOnce({ pacer: aPacer(), maxAttempts: 1 })
    const start = clock.now()
    expect(await clock.until(once.createTask(aCreateBody()))).to.include({ taskId: 1001, duplicate: false })
    expect(calls).to.deep.equal(Array(10).fill('post'))
    expect(clock.now() - start).to.equal(9 * 22_000)
  })

  it('writes the intent when the turn of a document has come, and counts its time limit from there', async () => {
    host.posts = [tooMany(300), created]
    const once = anOnce({ pacer: aPacer(), timeoutMs: 30_000 })
    const start = clock.now()
    const [first, second] = ['EHR|1', 'EHR|2'].map((id) => once.createTask(aCreateBody({ externalDocId: id })))
    await clock.pass(10_000)
    expect(await entryOf('EHR|1')).to.include({ state: 'intent', attempts: 1, overAt: start + 30_000 })
    expect(await entryOf('EHR|2'), 'it only waits').to.include({ state: 'new', attempts: 0 })
    await clock.until(Promise.all([first, second]))
    expect(await entryOf('EHR|1')).to.include({ state: 'created', attempts: 2, overAt: start + 330_000 })
  })

  it('knows that a document whose turn never came was not sent', async () => {
    host.posts = [tooMany(86_400)]
    const once = anOnce({ pacer: aPacer(), maxAttempts: 1 })
    expect(await failure(once.createTask(aCreateBody({ externalDocId: 'EHR|1' })))).to.include({ code: 'RATE_LIMITED' })
    calls.length = 0
    expect(await failure(once.createTask(aCreateBody({ externalDocId: 'EHR|2' })))).to.include({ code: 'RATE_LIMITED' })
    expect(calls).to.deep.equal([])
    expect(await entryOf('EHR|2')).to.include({ state: 'new', attempts: 0 })
  })
})
