/**
 * The limits of tests are written for a quiet machine, and only what is broken reaches them: a slow or busy one must not look broken,
 * so all of them are longer in truth. What a test says about time, it measures and expects by itself. Mocha loads this first.
 */
import type { Hook, Suite } from 'mocha'

/** How many times longer. */
const LONGER = 3

/** How long something is waited for, in ms. @param quietMs on a quiet machine */
export const patience = (quietMs: number): number => quietMs * LONGER

export const mochaHooks = {
  beforeAll(this: Mocha.Context) {
    const all = this.test!.parent!
    lengthen(all)
    // For the limits that tests set while they run.
    const set = all.ctx.timeout as (ms: number | string) => Mocha.Context
    all.ctx.timeout = function (this: Mocha.Context, ms: number | string) {
      return set.call(this, patience(Number(ms)))
    } as Mocha.Context['timeout']
  },
}

const HOOKS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const
/** Its published types leave the hooks out. */
type Hooked = Suite & { getHooks(kind: (typeof HOOKS)[number]): Hook[] }

function lengthen(suite: Suite): void {
  const hooks = HOOKS.flatMap((kind) => (suite as Hooked).getHooks(kind))
  for (const runnable of [...suite.tests, ...hooks]) runnable.timeout(patience(runnable.timeout()))
  suite.suites.forEach(lengthen)
}
