/** Reads messages: large ones in a thread with limits of time and memory, small ones at once. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Piscina } from 'piscina'
import {
  type FhirAnswer,
  type FhirQuestion,
  type MappedAt,
  mapFhirAt,
  mapFhirOnce,
  type ReadReference,
} from '../../../lib/mapping/map-fhir-at.ts'
import type { MapFile } from '../../../lib/mapping/map-file.ts'
import { type MappedHl7, mapHl7WithOrigin } from '../../../lib/mapping/map-hl7.ts'
import { moduleAt } from '../../../lib/places.ts'
import { payloadOf, textInJson } from '../held/payload-text.ts'
import { InputError, NodeError } from '../runtime/failures.ts'
import { collectAfter } from './collect.ts'

/** The jobs of the thread: it maps a message in HL7 or FHIR, shows a held payload as text in JSON, and makes a payload of corrected text. */
export interface Jobs {
  map: { question: { message: Uint8Array | string; map: MapFile }; answer: MappedHl7 }
  fhir: { question: FhirQuestion; answer: FhirAnswer }
  text: { question: { payload: unknown }; answer: Uint8Array }
  payload: { question: { corrected: string; kept: unknown }; answer: unknown }
}

export type Outcome<N extends keyof Jobs> = { answer: Jobs[N]['answer'] } | { errors: readonly string[] }

/** A message of this many bytes or characters is read in the thread. */
export const LARGE = 256 * 1024
/** The same of line ends: each segment takes up to 10 µs. A PDF in Base64 below the other limit has at most 3,500 lines. */
export const MANY_LINES = 4000
/** Limits on one message in the thread; a thread that exceeds them is terminated. */
export interface ThreadLimits {
  ms: number
  heapMb: number
}

/** A message of 32 MB takes less than 2 s, and in two-byte characters less than half of this memory. */
const LIMITS: ThreadLimits = { ms: 30_000, heapMb: 320 }
/** Starting a thread takes longer than reading an ordinary document. */
const IDLE_MS = 60_000

/** Returns what reads large messages in one thread, within limits. */
export function createLargeReader(limits: ThreadLimits) {
  const read = createThread(limits)
  const ownTurn = createTurns(LARGE)
  const tooMuch =
    `The message takes more than ${limits.ms / 1000} s or ${limits.heapMb} MB of memory to read. ` +
    'Check its delimiters, and let the sender divide it into smaller messages.'

  function answerOf<N extends keyof Jobs>(outcome: Outcome<N> | 'too much'): Jobs[N]['answer'] {
    if (outcome === 'too much') throw new NodeError('TOO_SLOW', tooMuch)
    if ('errors' in outcome) throw new InputError(outcome.errors)
    return outcome.answer
  }

  return {
    /** Returns what `mapHl7WithOrigin` does; a message that takes too long or too much memory is held. */
    async map(message: Uint8Array | string, map: MapFile): Promise<MappedHl7> {
      if (!isLargeMessage(message)) {
        await ownTurn(message.length)
        return mapHl7WithOrigin(message, map)
      }
      // A copy of these bytes alone: a Buffer may be a part of a much larger piece of memory, all of which would be copied.
      const own = typeof message === 'string' ? message : Uint8Array.prototype.slice.call(message)
      const outcome = await read('map', { message: own, map }, typeof own === 'string' ? [] : [own.buffer])
      collectAfter(message.length)
      return outcome === 'too much' || !('answer' in outcome)
        ? { mapped: { ok: false, held: [tooMuch] } }
        : outcome.answer
    },
    /** Returns what `mapFhirAt` does; a message that takes too long or too much memory is held. */
    async fhir(message: unknown, map: MapFile, readReference: ReadReference): Promise<MappedAt> {
      const text = fhirText(message)
      if (text === undefined && message !== undefined) return { mapped: { ok: false, held: [NOT_JSON] }, origin: null }
      return mapFhirAt(text, map, readReference, Date.now(), async (question) => {
        const size = sizeOf([text, question.fetched])
        if (size < LARGE) {
          await ownTurn(size)
          return mapFhirOnce(question)
        }
        const outcome = await read('fhir', question)
        collectAfter(size)
        return outcome === 'too much' || !('answer' in outcome)
          ? { mapped: { ok: false, held: [tooMuch] }, origin: null }
          : outcome.answer
      })
    },
    /** Returns the JSON of an object whose `text` is what `textOf` returns, in UTF-8. Throws the NodeError TOO_SLOW. */
    textInJson: async (payload: unknown): Promise<Uint8Array> =>
      isLarge(payload) ? answerOf<'text'>(await read('text', { payload })) : textInJson(payload),
    /** Returns what `payloadOf` does. Throws the NodeError TOO_SLOW. */
    async payload(corrected: string, kept: unknown): Promise<unknown> {
      if (!isLarge(kept) && !isLarge(corrected)) return payloadOf(corrected, kept)
      const payload = answerOf<'payload'>(await read('payload', { corrected, kept }))
      return payload instanceof Uint8Array
        ? Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
        : payload
    },
  }
}

/** The reader of all nodes. */
export const {
  map: mapLargeHl7,
  fhir: mapLargeFhir,
  textInJson: largeTextInJson,
  payload: largePayload,
} = createLargeReader(LIMITS)

const NOT_JSON = 'resourceType: the message cannot be written as JSON, or is nested too deeply'

/** Returns a large resource as JSON, which is copied to the thread faster than its objects; undefined when it has none. */
function fhirText(message: unknown): unknown {
  // A Buffer may be a part of a much larger piece of memory, all of which would be copied.
  if (message instanceof Uint8Array) return message.length < LARGE ? message : Uint8Array.prototype.slice.call(message)
  if (typeof message !== 'object' || sizeOf(message) < LARGE) return message
  try {
    return JSON.stringify(message)
  } catch {
    return undefined
  }
}

/** The size that a value without a length counts as: its part of the JSON, and of the time to read it. */
const SMALL_VALUE = 8

/** Returns about how long the JSON of a value is; counts no further than `LARGE`. */
function sizeOf(given: unknown): number {
  let size = 0
  const open: unknown[] = [given]
  while (open.length > 0 && size < LARGE) {
    const value = open.pop()
    if (typeof value === 'string' || value instanceof Uint8Array) size += value.length + SMALL_VALUE
    else if (typeof value !== 'object' || value === null) size += SMALL_VALUE
    else {
      size += SMALL_VALUE
      for (const name in value) {
        size += name.length
        open.push((value as Readonly<Record<string, unknown>>)[name])
        if (size >= LARGE) break
      }
    }
  }
  return size
}

/** Whether reading a message takes too long for the event loop. */
function isLargeMessage(message: Uint8Array | string): boolean {
  if (message.length >= LARGE) return true
  if (message.length < MANY_LINES) return false
  const text = typeof message === 'string' ? message : Buffer.from(message.buffer, message.byteOffset, message.length)
  let lines = 0
  for (const end of ['\r', '\n'])
    for (let at = text.indexOf(end); at >= 0 && lines < MANY_LINES; at = text.indexOf(end, at + 1)) lines += 1
  return lines >= MANY_LINES
}

/**
 * Returns a function that resolves when a small message may be read, in the order of the calls. Many that come at once would otherwise
 * be read in one turn of the event loop.
 */
function createTurns(sizePerTurn: number): (size: number) => Promise<void> {
  const waiting: { size: number; begin: () => void }[] = []
  let isTurning = false
  let used = 0

  async function turn() {
    isTurning = true
    while (waiting.length > 0) {
      used = 0
      while (waiting.length > 0 && (used === 0 || used + waiting[0]!.size <= sizePerTurn)) {
        const { size, begin } = waiting.shift()!
        used += size
        begin()
      }
      await nextTurn()
    }
    isTurning = false
  }

  return (size) =>
    new Promise((begin) => {
      if (isTurning && waiting.length === 0 && used + size <= sizePerTurn) {
        used += size
        return begin()
      }
      waiting.push({ size, begin })
      if (!isTurning) void turn()
    })
}

const isLarge = (payload: unknown): boolean => sizeOf(payload) >= LARGE

function createThread({ ms, heapMb }: ThreadLimits) {
  /** Two large messages at once would take twice the memory, and the time of one begins when it is its turn. */
  const inTurn = pLimit(1)
  let threads: Promise<Piscina> | undefined
  return <N extends keyof Jobs>(
    name: N,
    question: Jobs[N]['question'],
    transferList: ArrayBuffer[] = [],
  ): Promise<Outcome<N> | 'too much'> =>
    inTurn(async () => {
      threads ??= start(heapMb)
      const started = await threads
      try {
        return (await started.run({ name, question }, { signal: AbortSignal.timeout(ms), transferList })) as Outcome<N>
      } catch (failure) {
        if (isTooMuch(failure)) return 'too much'
        throw failure
      }
    })
}

/** Whether the thread was ended because it took too long, or ended because there was no more memory for it. */
const isTooMuch = (failure: unknown): boolean => {
  const { name, code } = failure as NodeJS.ErrnoException
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY' || name === 'RangeError'
}

async function start(heapMb: number): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: moduleAt('nodes/shared/large/thread').href,
    minThreads: 0,
    maxThreads: 1,
    // Otherwise the thread sleeps as soon as it has answered, and collects nothing before the next message.
    atomics: 'disabled',
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
  })
}
