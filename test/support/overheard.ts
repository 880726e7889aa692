/**
 * What services, commands, nodes and clients said while the tests ran: logs, refusals, errors, statuses, outputs. At the end
 * of every run, of one file or of all, it is searched for patients and secrets. Mocha loads
 * this before every test.
 */
import { format, inspect } from 'node:util'
import { expect } from 'chai'
import { pino } from 'pino'
import { providers } from '../../server/demo/people.ts'
import { CANARY, searched } from './canary.ts'
import { textsOfPatient } from './service/a-patient.ts'

/** Longer than any form of a secret. */
const LONGEST_SECRET = 1_000

const said = createUnsearched()

/** Keeps a text that must name no patient and hold no secret. */
export const overhear = (text: string): void => {
  said.keep(text)
}

/** The same for a text that comes in pieces: a word that is cut in two is found too. */
export const overhearing = (): ((piece: string) => void) => said.keepPieces()

/** For services inside the process of the tests. */
export const overheardLog = pino({ base: null, level: 'trace' }, { write: overhear })

/** The same promise; what it fails with is kept with everything that hangs on it, as a log that prints errors would show it. */
export function overheardFailure<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((failure: unknown) => {
    overhear(inspect(failure, { depth: 8 }))
    throw failure
  })
}

// What is printed inside the process of the tests. Mocha kept the console's functions for itself before this was loaded.
for (const name of ['debug', 'log', 'info', 'warn', 'error'] as const) {
  const print = console[name]
  console[name] = (...args: unknown[]) => {
    overhear(format(...args))
    print(...args)
  }
}
const write = process.stderr.write.bind(process.stderr)
process.stderr.write = ((...args: Parameters<typeof write>) => {
  overhear(String(args[0]))
  return write(...args)
}) as typeof process.stderr.write

const reasons = providers.flatMap(({ script }) => script?.reason ?? [])

/** What must not be said anywhere, by name. */
const secrets: Record<string, string> = {
  ...textsOfPatient(),
  ...Object.fromEntries(reasons.map((reason, index) => [`reason ${index + 1}`, reason])),
  ...Object.fromEntries(Object.entries(CANARY).map(([name, value]) => [`canary ${name}`, value])),
}

/** A whole API key. The commands that make one print it once, and are not overheard in that. */
const API_KEY = /cs[ko]_(?:test|live)_[0-9A-Za-z]{11}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/

export const mochaHooks = {
  afterAll() {
    expect(told(said.take())).to.deep.equal([])
  },
}

/** Keeps texts until they are searched, each once: those of many files of tests would be searched again after each file. */
export function createUnsearched() {
  const whole: string[] = []
  const pieced: { text: string }[] = []
  return {
    keep(text: string): void {
      whole.push(text)
    },
    /** Returns a function that keeps the pieces of one text. */
    keepPieces(): (piece: string) => void {
      const kept = { text: '' }
      pieced.push(kept)
      return (piece) => {
        kept.text += piece
      }
    },
    /** All that was kept since the last time. Texts that come in pieces begin with the end of what was taken before, where a secret may be cut in two. */
    take(): string {
      const texts = [...whole.splice(0), ...pieced.map(({ text }) => text)]
      for (const kept of pieced) kept.text = kept.text.slice(-LONGEST_SECRET)
      return texts.join('\n')
    },
  }
}

/** The names of the secrets that a text holds, each with the place where it stands. */
export function told(text: string): string[] {
  const isIn = searched(text)
  const found = Object.entries(secrets).filter(([, value]) => isIn(value))
  const key = API_KEY.exec(text)
  return [
    ...found.map(([name, value]) => `${name}: ${placeOf(text, value)}`),
    ...(key ? [`an API key: ${placeOf(text, key[0])}`] : []),
  ]
}

function placeOf(text: string, value: string): string {
  const at = text.toLowerCase().indexOf(value.toLowerCase())
  return at < 0 ? 'encoded' : JSON.stringify(text.slice(Math.max(0, at - 120), at + value.length + 20))
}
