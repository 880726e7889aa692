/**
 * Runs the tests of mocha inside of a process of Stryker: all files are loaded once, and each mutant runs the tests that reach it. Stryker's
 * own runner for mocha does not support mocha 12, and a process for each mutant takes seconds instead of milliseconds.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { InstrumenterContext, StrykerOptions } from '@stryker-mutator/api/core'
import { commonTokens, declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import Mocha from 'mocha'
import { isInSample } from './mutant-sample.ts'

type Hooks = Mocha.RootHookObject
type Hook = (this: Mocha.Context) => unknown
type Result = TestResult & { cost?: Cost }

interface Cost {
  idleMs: number
  hits: number
  turns: number
}

interface Settings {
  tests: string[]
  folder?: string
  share?: number
  limits?: Cost
}

const TIMEOUT_MS = 30_000
/**
 * The most that a test may cost, unless it costs a quarter of that without a change. Not one of them depends on the speed of the machine: how
 * long it waits while the process has nothing to do, how often it reaches the changed files, and how often the event loop turns.
 */
const LIMITS: Cost = { idleMs: 500, hits: 20_000, turns: 5_000 }
const UNLIMITED: Cost = {
  idleMs: Number.POSITIVE_INFINITY,
  hits: Number.POSITIVE_INFINITY,
  turns: Number.POSITIVE_INFINITY,
}
const MOST_KILLERS = 20

export function createRunner(options: StrykerOptions): TestRunner {
  const { tests: files, folder, share = 1, limits = LIMITS } = options.mochaRunner as Settings
  let loading: Promise<Mocha> | undefined
  /** Whether a test that failed passes alone and without a mutant, by its title. */
  const trusted = new Map<string, boolean>()
  /** A test that was ended may still work and disturb those that follow: those that passed alone before are compared again. */
  const reliable = new Set<string>()
  /** Those that failed alone before any test was ended. */
  const unreliable = new Set<string>()
  let isDisturbed = false
  let isBroken = false
  let changes = 0
  /** A file that is there while a change is tried. */
  let mark: string | undefined
  const titles = new Set<string>()
  const limitsOfTests = new Map<string, Cost>()
  const limitsOf = (title: string) => limitsOfTests.get(title) ?? limits
  const ended = new Set<string>()
  /** The tests that have noticed the latest changes: they often notice the next one, too. */
  let killers: string[] = []

  function replaceProcess(): never {
    if (mark !== undefined) rmSync(mark, { force: true })
    process.exit(1)
  }

  function end(title: string): void {
    if (ended.has(title)) return
    ended.add(title)
    isDisturbed = true
    trusted.clear()
  }

  /** Runs some tests, or all of them, and ends those that wait or loop too long. */
  async function run(
    chosen: readonly string[] | undefined,
    isBailing: boolean,
    limit: (title: string) => Cost = limitsOf,
  ): Promise<Result[]> {
    loading ??= load(files)
    const mocha = await loading
    const results: Result[] = []
    mocha.grep(chosen ? new Titles(chosen) : /(?:)/)
    mocha.bail(isBailing)
    let title = ''
    let start = performance.eventLoopUtilization()
    let first = turnsSoFar()
    let hits = 0
    const cost = () => ({
      idleMs: performance.eventLoopUtilization(start).idle,
      hits,
      turns: turnsSoFar() - first,
    })
    onEachHit(() => {
      hits++
      if (hits > limit(title).hits) {
        end(title)
        throw new Error('The test loops.')
      }
      return title
    })
    let watch: NodeJS.Timeout | undefined
    const listeners = process.listeners('uncaughtException')
    await new Promise<void>((done) => {
      const runner = mocha.run(() => done()) as Mocha.Runner & { uncaught: (error: Error) => void }
      const { uncaught } = runner
      process.off('uncaughtException', uncaught)
      // An error outside of a test may be of one that was ended.
      runner.uncaught = (error) => {
        if (!isDisturbed) uncaught(error)
      }
      process.on('uncaughtException', runner.uncaught)
      runner.on('test', (test) => {
        title = test.fullTitle()
        hits = 0
        start = performance.eventLoopUtilization()
        first = turnsSoFar()
        prepareEnding()
      })
      watch = setInterval(() => {
        if (!isAbove(cost(), limit(title))) return
        end(title)
        giveUp(new Error('The test waits for something that does not come.'))
      }, limits.idleMs / 10)
      runner.on('pass', (test) => results.push({ ...named(test), status: TestStatus.Success, cost: cost() }))
      // A hook that fails prevents its tests from running.
      runner.on('fail', (test, failure: Error) =>
        results.push({ ...named(test), status: TestStatus.Failed, failureMessage: String(failure?.message) }),
      )
    })
    clearInterval(watch)
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
    delete scope().currentTestId
    return results
  }

  /** A test may need what an earlier one has left, which says nothing about a mutant. */
  async function isTrusted(title: string): Promise<boolean> {
    const known = trusted.get(title)
    if (known !== undefined || !titles.has(title)) return known ?? true
    delete scope().activeMutant
    const results = await run([title], false, () => UNLIMITED)
    const isAlone = results.every(({ status }) => status === TestStatus.Success)
    // What a test that was ended has left disturbs tests that share it, and says nothing about them.
    if (!isAlone && !unreliable.has(title) && (reliable.has(title) || isDisturbed)) {
      // Stryker starts another process, and tries the change again. The first change of a process has no other one to blame.
      if (changes > 1) replaceProcess()
      isBroken = true
      return true
    }
    if (isAlone) reliable.add(title)
    else unreliable.add(title)
    trusted.set(title, isAlone)
    const costs = results.flatMap(({ cost }) => cost ?? [])
    limitsOfTests.set(title, {
      idleMs: Math.max(limits.idleMs, ...costs.map(({ idleMs }) => 4 * idleMs)),
      hits: Math.max(limits.hits, ...costs.map(({ hits }) => 4 * hits)),
      turns: Math.max(limits.turns, ...costs.map(({ turns }) => 4 * turns)),
    })
    return isAlone
  }

  async function runMutant(id: string, chosen: readonly string[], isBailing: boolean): Promise<TestResult[]> {
    if (chosen.length === 0) return []
    scope().activeMutant = id
    const tests = await run(chosen, isBailing)
    const failed = tests.filter(({ status }) => status === TestStatus.Failed).map(({ id: title }) => title)
    const doubtful = new Set<string>()
    let isTooShort = false
    for (const title of failed) {
      const before = limitsOf(title)
      if (!(await isTrusted(title))) doubtful.add(title)
      if (ended.delete(title) && isAbove(limitsOf(title), before)) isTooShort = true
    }
    if (doubtful.size > 0 || isTooShort) return runMutant(id, without(chosen, doubtful), isBailing)
    killers = [...failed, ...without(killers, new Set(failed))].slice(0, MOST_KILLERS)
    return tests
  }

  async function runKillersFirst(id: string, chosen: readonly string[], isBailing: boolean): Promise<TestResult[]> {
    const likely = new Set(killers.filter((title) => chosen.includes(title)))
    const first = await runMutant(id, [...likely], isBailing)
    if (isBailing && first.some(({ status }) => status === TestStatus.Failed)) return first
    return [...first, ...(await runMutant(id, without(chosen, likely), isBailing))]
  }

  return {
    // Modules of ECMAScript are loaded once in a process. A change that is there while they load gets a process of its own below; for all
    // others, Stryker must not start one.
    capabilities: () => ({ reloadEnvironment: true }),

    async dryRun({ coverageAnalysis }: DryRunOptions): Promise<DryRunResult> {
      scope().mutantCoverage = { static: {}, perTest: {} }
      const tests = await run(undefined, false, () => UNLIMITED)
      const { mutantCoverage } = scope()
      return {
        status: DryRunStatus.Complete,
        tests,
        ...(coverageAnalysis !== 'off' && mutantCoverage && { mutantCoverage }),
      }
    },

    async mutantRun(asked: MutantRunOptions): Promise<MutantRunResult> {
      const { activeMutant, testFilter, disableBail, hitLimit, mutantActivation } = asked
      if (folder !== undefined) watchMainThread()
      if (!isInSample(activeMutant, share)) return { status: MutantRunStatus.Error, errorMessage: 'Not in the sample.' }
      const isStatic = mutantActivation === 'static'
      if (isBroken || (isStatic && loading !== undefined)) replaceProcess()
      isBroken = isStatic
      changes++
      mark = folder === undefined ? undefined : join(folder, `under-way-${activeMutant.id}`)
      // The process that tried this change had to be ended.
      if (mark !== undefined && existsSync(mark)) return { status: MutantRunStatus.Timeout, reason: 'It never ends.' }
      if (mark !== undefined) writeFileSync(mark, '')
      const state = scope()
      delete state.mutantCoverage
      delete state.hitCount
      delete state.hitLimit
      // A change may make a loop endless; the instrumented code then throws.
      if (hitLimit !== undefined) Object.assign(state, { hitCount: 0, hitLimit })
      if (isStatic) state.activeMutant = activeMutant.id
      loading ??= load(files)
      for (const title of titlesIn((await loading).suite)) titles.add(title)
      state.activeMutant = activeMutant.id
      const tests = isStatic
        ? await run(testFilter, !disableBail)
        : await runKillersFirst(activeMutant.id, testFilter ?? [...titles], !disableBail)
      if (mark !== undefined) rmSync(mark)
      return toMutantRunResult(
        determineHitLimitReached(state.hitCount, state.hitLimit) ?? { status: DryRunStatus.Complete, tests },
      )
    },
  }
}

/** Returns what instrumented code reads: the mutant that is active, and the test to which it attributes what is reached. */
function scope(): InstrumenterContext {
  const everywhere = globalThis as { __stryker__?: InstrumenterContext }
  everywhere.__stryker__ ??= {}
  return everywhere.__stryker__
}

const isAbove = (cost: Cost, limit: Cost): boolean =>
  cost.idleMs > limit.idleMs || cost.hits > limit.hits || cost.turns > limit.turns

const turnsSoFar = (): number => performance.nodeTiming.uvMetricsInfo.loopCount

/** Calls back whenever instrumented code is reached: it asks for the title of the test each time. */
function onEachHit(get: () => string): void {
  Object.defineProperty(scope(), 'currentTestId', { configurable: true, enumerable: true, get })
}

let isWatched = false

/** Ends the process when a loop that reaches no changed file keeps the main thread busy: no other thread can end such a loop. */
function watchMainThread(): void {
  if (isWatched) return
  isWatched = true
  const turns = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.add(turns, 0, 1), 100).unref()
  const watchdog = new Worker(WATCHDOG, { eval: true, workerData: turns })
  watchdog.unref()
}

const WATCHDOG = `
  const { workerData: turns } = require('node:worker_threads')
  let known
  let start
  setInterval(() => {
    const { user, system } = process.cpuUsage(start)
    if (known === turns[0] && user + system > 20_000_000) process.kill(process.pid, 'SIGKILL')
    if (known === turns[0]) return
    known = turns[0]
    start = process.cpuUsage()
  }, 500)
`

/** Ends the test that runs, with an error. */
let giveUp = (_: Error) => {}
let ending: Promise<never>

function prepareEnding(): void {
  ending = new Promise<never>((_, reject) => {
    giveUp = reject
  })
  ending.catch(() => {})
}

/** Lets tests and hooks be ended. Those with a callback cannot be. */
function makeEndable(suite: Mocha.Suite): void {
  for (const runnable of [...suite.tests, ...hooksIn(suite, 'beforeEach'), ...hooksIn(suite, 'afterEach')]) {
    const { fn } = runnable as { fn?: Hook }
    if (fn === undefined || fn.length > 0) continue
    const endable: Hook = function () {
      const result = fn.call(this)
      return result instanceof Promise ? Promise.race([result, ending]) : result
    }
    Object.assign(runnable, { fn: endable })
  }
  suite.suites.forEach(makeEndable)
}

async function load(files: readonly string[]): Promise<Mocha> {
  const { require } = JSON.parse(readFileSync('.mocharc.json', 'utf8')) as { require: readonly string[] }
  const all: Hooks[] = []
  for (const path of require) {
    const { mochaHooks } = (await import(pathToFileURL(resolve(path)).href)) as { mochaHooks?: Hooks }
    if (mochaHooks !== undefined) all.push(mochaHooks)
  }
  const rootHooks: Hooks = {
    beforeAll: hooksOf(all, 'beforeAll').map(once),
    beforeEach: hooksOf(all, 'beforeEach'),
    // The hooks after all tests remove what the next run needs.
    afterEach: hooksOf(all, 'afterEach'),
  }
  const mocha = new Mocha({ timeout: TIMEOUT_MS, reporter: Silent, rootHooks })
  mocha.cleanReferencesAfterRun(false)
  for (const file of files) mocha.addFile(resolve(file))
  await mocha.loadFilesAsync()
  keepForNextRun(mocha.suite)
  makeEndable(mocha.suite)
  return mocha
}

/** Drops the hooks after all tests of a suite that has none before all of them: what they end was made when the file was loaded. */
function keepForNextRun(suite: Mocha.Suite): void {
  if (hooksIn(suite, 'beforeAll').length === 0) hooksIn(suite, 'afterAll').length = 0
  suite.suites.forEach(keepForNextRun)
}

const hooksIn = (suite: Mocha.Suite, kind: keyof Hooks): Mocha.Hook[] =>
  (suite as Mocha.Suite & { getHooks(kind: keyof Hooks): Mocha.Hook[] }).getHooks(kind)

const hooksOf = (all: readonly Hooks[], name: keyof Hooks): Hook[] =>
  all.flatMap((hooks) => (hooks[name] ?? []) as Hook | Hook[])

function once(hook: Hook): Hook {
  let isDone = false
  return function (this: Mocha.Context) {
    if (isDone) return undefined
    isDone = true
    return hook.call(this)
  }
}

const without = (titles: readonly string[], some: ReadonlySet<string>): string[] =>
  titles.filter((title) => !some.has(title))

const titlesIn = (suite: Mocha.Suite): string[] => [
  ...suite.tests.map((test) => test.fullTitle()),
  ...suite.suites.flatMap(titlesIn),
]

/** Reports nothing: Stryker does. */
class Silent extends Mocha.reporters.Base {}

/** Mocha asks a regular expression which tests to run; this one compares whole titles. */
class Titles extends RegExp {
  readonly #titles: ReadonlySet<string>
  constructor(titles: Iterable<string>) {
    super('')
    this.#titles = new Set(titles)
  }
  override test(title: string): boolean {
    return this.#titles.has(title)
  }
}

/** Names a test; for a hook that failed, the test that it prevented. */
function named(ran: Mocha.Test | Mocha.Hook) {
  const title = (ran.type === 'hook' ? (ran.ctx?.currentTest ?? ran) : ran).fullTitle()
  return { id: title, name: title, timeSpentMs: ran.duration ?? 0 }
}

const factory = Object.assign(createRunner, { inject: [commonTokens.options] as ['options'] })

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'mocha-in-process', factory)]
