/**
 * The documents that others drop into a folder, one after the other: each goes into the flow, and its files go to `done` once another
 * node has taken it over (shared/intake/taken), or to `error`, with the reasons. What a crash or a deploy has left is sent again.
 */
import { mkdir } from 'node:fs/promises'
import type { Clock } from '../../../lib/clock.ts'
import type { DroppedFiles } from '../../../lib/mapping/map-files.ts'
import { createOutflow } from '../intake/outflow.ts'
import { intakeId, listenForTaken } from '../intake/taken.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import { contents } from './contents.ts'
import { type Claim, type Outcome, openDropFolder } from './drop-folder.ts'
import { pairsOf } from './pairs.ts'
import { createSettled, type SettledOptions } from './settled.ts'

export interface FolderIntakeOptions extends SettledOptions {
  folder: string
  /** Whether the folder is made at the start when it is not there. */
  isMade?: boolean
  nodeId: string
  clock: Clock
  /** How long to the next look. */
  pollMs: number
  /** After how many ms a document that nobody has taken is sent into the flow again; 0 for not before the next start. */
  repeatMs: number
  /** The most bytes of a document and its index. */
  maxBytes: number
  /** Sends a document into the flow; resolves with the reasons when it cannot be used. Called again after it has rejected. */
  emit: (files: DroppedFiles, properties: Message) => Promise<readonly string[]>
  /** Told after each look how many documents wait to be taken. */
  onLook: (open: number) => void
  /** Told why a step failed; it is done again at the next look. */
  onError: (failure: unknown) => void
}

export interface FolderIntake {
  /** A document failed for good: its files go to `error`. */
  failed(id: number, reasons: readonly string[]): void
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>
}

/** Begins to look at once. */
export function openFolderIntake(options: FolderIntakeOptions): FolderIntake {
  const { nodeId, clock, pollMs, repeatMs, onLook, onError } = options
  const folder = openDropFolder(options.folder)
  const settled = createSettled(options)
  const open = new Map<number, Claim>()
  const left = new Map<number, () => Promise<void>>()
  let isClosed = false
  let work = Promise.resolve()
  let cancelLook = () => {}

  /** One step after the other, because they move the same files. */
  const inTurn = (step: () => Promise<void>) => {
    work = work.then(step).catch((failure: unknown) => onError(away(failure)))
    return work
  }
  /** A step of a document; when it fails, the next look begins with it. */
  const stepOf = (id: number, step: () => Promise<void>) => {
    left.set(id, step)
    void inTurn(async () => {
      if (left.get(id) !== step) return
      await step()
      if (left.get(id) === step) left.delete(id)
    })
  }
  const finish = (id: number, outcome: Outcome, reasons: readonly string[] = []) =>
    stepOf(id, async () => {
      const claim = open.get(id)
      if (claim) await folder.finish(claim, outcome, reasons)
      open.delete(id)
      outflow.taken(id)
    })
  const send = (id: number) =>
    stepOf(id, async () => {
      const claim = open.get(id)
      if (isClosed || !claim) return
      const reasons = await sent(claim)
      if (reasons.length > 0) finish(id, 'error', reasons)
    })

  async function sent(claim: Claim): Promise<readonly string[]> {
    const found = await contents(folder, claim, options.maxBytes)
    if ('reason' in found) return [found.reason]
    return options.emit(found, { filename: claim.pdf ?? claim.index, intake: intakeId(nodeId, claim.id) })
  }

  const outflow = createOutflow({
    clock,
    repeatMs,
    next: (afterId) => {
      const claim = [...open.values()].find(({ id }) => id > afterId)
      return claim && { id: claim.id, digest: '', size: claim.size }
    },
    send: ({ id }) => send(id),
    onError,
  })

  const look = createLook({ folder, settled, open, clock })
  const lookAgain = () => {
    for (const [id, step] of left) stepOf(id, step)
    void inTurn(async () => {
      await look()
      onLook(open.size)
      outflow.flow()
    }).then(() => {
      if (!isClosed) cancelLook = clock.after(pollMs, lookAgain)
    })
  }
  if (options.isMade) void inTurn(async () => void (await mkdir(options.folder, { recursive: true })))
  lookAgain()
  // After the first look, which finds what was taken while the node was closed.
  const stopListening = listenForTaken(nodeId, (id) => finish(id, 'done'))

  return {
    failed: (id, reasons) => finish(id, 'error', reasons),
    async close() {
      isClosed = true
      cancelLook()
      stopListening()
      outflow.stop()
      for (let last: Promise<void> | undefined; last !== work; ) {
        last = work
        await last
      }
    },
  }
}

interface Looking {
  folder: ReturnType<typeof openDropFolder>
  settled: ReturnType<typeof createSettled>
  open: Map<number, Claim>
  clock: Clock
}

/** Returns a function that takes up the documents that are whole by now, after what an interruption has left. */
function createLook({ folder, settled, open, clock }: Looking): () => Promise<void> {
  let lastId = 0
  let isInterrupted = true
  return async () => {
    if (isInterrupted) for (const claim of await folder.recover()) if (!open.has(claim.id)) open.set(claim.id, claim)
    isInterrupted = true
    for (const pair of settled(pairsOf(await folder.list()), clock.now())) {
      // Grows, also over restarts: what is taken later is known by it.
      lastId = Math.max(lastId + 1, clock.now() * 1000)
      open.set(lastId, await folder.claim(pair, lastId))
    }
    isInterrupted = false
  }
}

/** What the file system says of a folder that is not there, as of a network drive that is not connected. */
function away(failure: unknown): unknown {
  const { code, syscall } = failure as NodeJS.ErrnoException
  if (!(failure instanceof Error) || syscall === undefined) return failure
  return new NodeError(
    'FOLDER_AWAY',
    `The folder cannot be used (${code}). Connect it, or mend its permissions; the node looks again.`,
  )
}
