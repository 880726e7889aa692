/**
 * The limits of tests are written for a quiet machine, and only what is broken reaches them: a slow or busy one must not look broken,
 * so they are longer in truth. What a test says about time, it measures and expects by itself, and files that are about time keep
 * their limits. Mocha loads this first.
 */
import type { Hook, Runnable, Suite } from 'mocha'

/** How many times longer: a test may get a tenth of the processors. */
const LONGER = 10

/** How long something is waited for, in ms. @param quietMs on a quiet machine */
export const patience = (quietMs: number): number => quietMs * LONGER

export const mochaHooks = {
  beforeAll(this: Mocha.Context) {
    const all = this.test!.parent!
    lengthen(all)
    // For the limits that tests set while they run.
    const set = all.ctx.timeout as (ms: number) => Mocha.Context
    all.ctx.timeout = function (this: Mocha.Context, ms: number) {
      return set.call(this, limitOf(this.runnable(), ms))
    } as Mocha.Context['timeout']
  },
}

const HOOKS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const
/** Its published types leave the hooks out. */
type Hooked = Suite & { getHooks(kind: (typeof HOOKS)[number]): Hook[] }

function lengthen(suite: Suite): void {
  const hooks = HOOKS.flatMap((kind) => (suite as Hooked).getHooks(kind))
  for (const runnable of [...suite.tests, ...hooks]) runnable.timeout(limitOf(runnable, runnable.timeout()))
  suite.suites.forEach(lengthen)
}

const limitOf = ({ file = '' }: Pick<Runnable, 'file'>, ms: number): number =>
  file.endsWith('.timed.test.ts') ? ms : patience(ms)
