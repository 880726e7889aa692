/** A time limit of work: fires without help, gives way to the signal of the caller, and leaves nothing behind. */
import { getEventListeners } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { withinTime, withSignals } from '../../lib/clock.ts'

const LONG_MS = 3_600_000

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it succeeded'),
    (failure: Error) => failure,
  )
/** Ends when the signal is aborted, with its reason. */
const hanging = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('withinTime', () => {
  it('aborts work that takes longer, also when the caller has a signal', async () => {
    for (const signal of [undefined, new AbortController().signal])
      expect(await failureOf(withinTime(1, signal, hanging))).to.include({ name: 'TimeoutError' })
  })

  it('passes on the reason of the caller, before and during the work', async () => {
    const reason = new Error('stopped')
    expect(await failureOf(withinTime(LONG_MS, AbortSignal.abort(reason), hanging))).to.equal(reason)
    const caller = new AbortController()
    const work = failureOf(withinTime(LONG_MS, caller.signal, hanging))
    caller.abort(reason)
    expect(await work).to.equal(reason)
  })

  it('returns what the work returns, and listens no longer', async () => {
    const { signal } = new AbortController()
    expect(await withinTime(LONG_MS, signal, async () => 7)).to.equal(7)
    expect(getEventListeners(signal, 'abort')).to.deep.equal([])
  })
})

describe('withSignals', () => {
  it('passes on the reason of whichever signal is first, and listens no longer', async () => {
    const reason = new Error('stopped')
    for (const first of [0, 1]) {
      const callers = [new AbortController(), new AbortController()]
      const signals = callers.map(({ signal }) => signal)
      const work = failureOf(withSignals([...signals, undefined], hanging))
      callers[first]!.abort(reason)
      expect(await work).to.equal(reason)
      expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).to.deep.equal([])
    }
  })

  it('begins no work when one is aborted already', async () => {
    const reason = new Error('stopped')
    const never = () => expect.fail('the work began')
    expect(await failureOf(withSignals([new AbortController().signal, AbortSignal.abort(reason)], never))).to.equal(
      reason,
    )
  })

  it('is used instead of AbortSignal.any, whose timers Node.js before 22.16 loses', () => {
    const root = join(import.meta.dirname, '../..')
    const using = globSync('{lib,nodes,server,testing}/**/*.{ts,tsx}', { cwd: root }).filter((file) =>
      /AbortSignal\.any\(/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(using).to.deep.equal([])
  })
})
