/** Hands each change of a task over once, whether it became known by a callback or by a look at the task. Verifies nothing. */
import pLimit from 'p-limit'
import type { StatusEvent } from '../contract/event.ts'
import { createKeyLock } from '../journal/key-lock.ts'
import type { OnceStore } from './once-store.ts'
import { compareChange } from './task-memory.ts'

/** How the change became known: a callback, a look at the task, or a claim that a dead process left behind. */
export type EventSource = 'webhook' | 'reconciler' | 'resumed'

/** Facts about an event that are not in its body. */
export interface EventContext {
  /** How the change became known. */
  source: EventSource
  /** True for an event that comes after a later one of its task, and is handed over all the same (`staleEvents: 'deliver'`). */
  isStale: boolean
}

/** `stale`: a later change of the task was handed over before; whether this one still was is `staleEvents`. */
export type HandOverOutcome = 'accepted' | 'duplicate' | 'stale'

export interface HandOverOptions {
  /** Remembers what was handed over. */
  store: OnceStore
  /**
   * Receives each change once. When it throws or rejects, the event is not counted as handed over: its sender repeats it, or,
   * when it was acknowledged already, `resume` hands it over again. Should the process die or the store fail right after it,
   * the event comes once more: nothing is ever lost instead.
   */
  onEvent: (event: StatusEvent, context: EventContext) => unknown
  /** Receives each event that was handed over before. */
  onDuplicate?: (event: StatusEvent, context: EventContext) => unknown
  /** Events that come after a later one of their task: `drop` (default) or `deliver`. */
  staleEvents?: 'drop' | 'deliver'
}

/** Another process is handing the event over at this moment. */
export class InProgressElsewhereError extends Error {
  override readonly name = 'InProgressElsewhereError'
  readonly code = 'IN_PROGRESS_ELSEWHERE'
  constructor() {
    super(
      'Another process is handing this event over. The sender will retry later, and is then answered that it is done.',
    )
  }
}

/** The receiver was closed before the event was handed over. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError'
  readonly code = 'CLOSED'
  constructor() {
    super('The receiver is closed. What it had acknowledged is handed over by `resume` of the next one.')
  }
}

export interface Remembered {
  /** Resolves once the event was handed over, and rejects when that failed. */
  done: Promise<HandOverOutcome>
  /**
   * The sender is to be told that it need not repeat the event: should the handing over fail from now on, the event stays
   * claimed. False when it has failed already, and the sender must repeat it.
   */
  acknowledge(): boolean
}

export interface HandOver {
  /**
   * Resolves once the event is remembered. What is resumed is remembered already: it takes its place behind the events of its task
   * at once, and waits there while many others are resumed.
   */
  begin(event: StatusEvent, source: EventSource): Promise<Remembered>
  /** Begins no further event, and leaves those that fail from now on claimed. Resolves when none is under way any more. */
  close(): Promise<void>
}

/** How many tasks are resumed at once, alongside those of which new events come. */
const RESUMED_AT_ONCE = 4

export function createHandOver({ store, onEvent, onDuplicate, staleEvents = 'drop' }: HandOverOptions): HandOver {
  const underWay = new Map<string, Promise<Remembered>>()
  const oneOfTask = createKeyLock()
  const fewAtOnce = pLimit(RESUMED_AT_ONCE)
  let isClosed = false

  async function take(event: StatusEvent, source: EventSource): Promise<Remembered> {
    const claim = await claimed(event)
    let isAcknowledged = false
    let hasFailed = false
    const acknowledge = () => {
      isAcknowledged ||= !hasFailed
      return isAcknowledged
    }
    if (claim === 'done') return { done: repeated(event, source), acknowledge }
    const done = oneOfTask(String(event.taskId), () => work(event, source)).catch(async (failure: unknown) => {
      // A released event is new when its sender repeats it. A claim that is kept expires, and `resume` finds it.
      hasFailed = true
      isAcknowledged ||= isClosed
      if (!isAcknowledged) await store.release(event).catch(() => {})
      throw failure
    })
    return { done, acknowledge }
  }

  /** Claims the event only when its turn has come, so that no claim ends before. Its sender does not repeat it. */
  function takeAgain(event: StatusEvent): Remembered {
    const again = async () =>
      (await claimed(event)) === 'done' ? repeated(event, 'resumed') : await work(event, 'resumed')
    return { done: oneOfTask(String(event.taskId), () => fewAtOnce(again)), acknowledge: () => true }
  }

  async function claimed(event: StatusEvent): Promise<'new' | 'done'> {
    if (isClosed) throw new ClosedError()
    const claim = await store.claim(event)
    if (claim === 'in_progress') throw new InProgressElsewhereError()
    return claim
  }

  async function work(event: StatusEvent, source: EventSource): Promise<HandOverOutcome> {
    const comparison = compareChange(await store.tasks.lastChange(event.taskId), event)
    if (isClosed) throw new ClosedError()
    const isStale = comparison === 'stale'
    if (comparison !== 'repeated' && !(isStale && staleEvents === 'drop')) await onEvent(event, { source, isStale })
    // In the same turn, which a journal may write in one transaction.
    const remembered = comparison === 'news' ? store.tasks.remember(event.taskId, event) : undefined
    await Promise.all([remembered, store.complete(event)])
    return comparison === 'repeated' ? repeated(event, source) : isStale ? 'stale' : 'accepted'
  }

  async function repeated(event: StatusEvent, source: EventSource): Promise<HandOverOutcome> {
    await onDuplicate?.(event, { source, isStale: false })
    return 'duplicate'
  }

  async function begin(event: StatusEvent, source: EventSource): Promise<Remembered> {
    const key = event.eventId.toLowerCase()
    const first = underWay.get(key)
    if (first) {
      const { done, acknowledge } = await first
      return { done: done.then((outcome) => (outcome === 'accepted' ? repeated(event, source) : outcome)), acknowledge }
    }
    const taken = source === 'resumed' ? Promise.resolve(takeAgain(event)) : take(event, source)
    underWay.set(key, taken)
    const end = () => underWay.delete(key)
    taken.then(({ done }) => done).then(end, end)
    return taken
  }

  return {
    begin,
    async close() {
      isClosed = true
      await Promise.allSettled([...underWay.values()].map(async (taken) => (await taken).done))
    },
  }
}
