/**
 * The documents that others drop into a folder, one after the other: each goes into the flow, and its files go to `done` once another
 * node has taken it over (shared/intake/taken), or to `error`, with the reasons. What a crash or a deploy has left is sent again.
 */
import { mkdir } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../../lib/clock.ts'
import type { DroppedFiles } from '../../../lib/mapping/map-files.ts'
import { createOutflow } from '../intake/outflow.ts'
import { intakeId, listenForTaken } from '../intake/taken.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import { type Claim, type ClaimStoreOptions, type Outcome, openClaimStore } from './claim-store.ts'
import { contents } from './contents.ts'
import { openDropFolder } from './drop-folder.ts'
import type { Refusal } from './dropped-file.ts'
import { pairsOf } from './pairs.ts'
import { createSettled, type SettledOptions } from './settled.ts'

export interface FolderIntakeOptions extends SettledOptions, Pick<ClaimStoreOptions, 'where' | 'seal' | 'run'> {
  folder: string
  /** Where the nodes keep their files, directly in Node-RED's user directory. */
  stateFolder: string
  /** Whether the folder is made at the start when it is not there. */
  isMade?: boolean
  nodeId: string
  /** Optional; whether this process may act on the folder. While it may not, steps wait. */
  isOurs?: () => boolean
  clock: Clock
  /** How long to the next look. */
  pollMs: number
  /** After how many ms a document that no one has taken is sent into the flow again; 0 for not before the next start. */
  repeatMs: number
  /** The most bytes of a document and its index. */
  maxBytes: number
  /** Optional; the most documents that are under way at once, 1,000 by default. */
  mostOpen?: number
  /** Sends a document into the flow; resolves with the reasons when it cannot be used. Called again after it has rejected. */
  emit: (files: DroppedFiles, properties: Message) => Promise<readonly string[]>
  /** Called after each look and its steps, when none has failed. */
  onLook: (seen: Seen) => void
  /** Called with the reason when a step failed; it is done again at the next look. */
  onError: (failure: unknown) => void
}

/** How a look ended. */
export interface Seen {
  /** How many documents wait to be taken over. */
  open: number
  /** Why entries are not taken up, with how many there are of each. */
  refused: ReadonlyMap<Refusal | 'foreign', number>
}

export interface FolderIntake {
  /** A document failed permanently: its files go to `error`. */
  failed(id: number, reasons: readonly string[]): void
  /** Resolves when nothing is under way any more. @param isDeleted removes the store, unless documents are under way */
  close(isDeleted: boolean): Promise<void>
}

/** Begins to look at once. Throws the NodeError CANNOT_KEEP when the store cannot be used. */
export function openFolderIntake(options: FolderIntakeOptions): FolderIntake {
  const { nodeId, isOurs = () => true, clock, pollMs, repeatMs, mostOpen = 1000, onLook, onError } = options
  const store = openClaimStore(options)
  const folder = openDropFolder({ ...options, store })
  const settled = createSettled(options)
  const open = new Map<number, Claim>()
  const left = new Map<number, () => Promise<void>>()
  let isClosed = false
  let hasFailed = false
  let work = Promise.resolve()
  let cancelLook = () => {}

  /** One step after the other, because they move the same files. */
  const inTurn = (step: () => Promise<void>) => {
    work = work
      .then(() => (isOurs() ? step() : undefined))
      .catch((failure: unknown) => {
        hasFailed = true
        onError(away(failure))
      })
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
    if (store.deaths(claim.id) >= MOST_DEATHS) return [DEADLY]
    store.begin(claim.id)
    try {
      const found = await contents(folder, claim, options.maxBytes)
      if ('reason' in found) return [found.reason]
      const filename = (claim.pdf ?? claim.index)?.name
      const reasons = await options.emit(found, { filename, intake: intakeId(nodeId, claim.id) })
      // The next nodes of the flow work in turns of their own.
      for (let turn = 0; turn < TURNS_OF_FLOW; turn += 1) await nextTurn()
      return reasons
    } finally {
      store.handled(claim.id)
    }
  }

  const outflow = createOutflow({
    clock,
    repeatMs,
    next: (afterId) => {
      const claim = [...open.values()].find(({ id }) => id > afterId)
      return claim && { id: claim.id, digest: '', size: sizeOf(claim) }
    },
    send: ({ id }) => send(id),
    onError,
  })

  const look = createLook({ folder, settled, open, clock, mostOpen })
  const lookAgain = () => {
    hasFailed = false
    for (const [id, step] of left) stepOf(id, step)
    void inTurn(async () => {
      const refused = await look()
      if (!hasFailed) onLook({ open: open.size, refused })
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
    async close(isDeleted) {
      isClosed = true
      cancelLook()
      stopListening()
      outflow.stop()
      for (let last: Promise<void> | undefined; last !== work; ) {
        last = work
        await last
      }
      store.close(isDeleted)
    },
  }
}

/** A process may end for other reasons while it handles a document; twice with the same one is no accident. */
const MOST_DEATHS = 2
const DEADLY =
  'PDF: Node-RED ended twice while it read these files, so they are not read again. Check their size and contents; to have them read ' +
  'again, move both back.'
const TURNS_OF_FLOW = 20

const sizeOf = ({ pdf, index, others }: Claim): number =>
  [pdf, index, ...others].reduce((sum, file) => sum + (file?.size ?? 0), 0)

interface Looking {
  mostOpen: number
  folder: ReturnType<typeof openDropFolder>
  settled: ReturnType<typeof createSettled>
  open: Map<number, Claim>
  clock: Clock
}

/** Returns a function that takes up the documents that are whole by now, after what an interruption has left. */
function createLook({ folder, settled, open, clock, mostOpen }: Looking): () => Promise<Seen['refused']> {
  let isInterrupted = true
  return async () => {
    if (isInterrupted) for (const claim of await folder.recover()) if (!open.has(claim.id)) open.set(claim.id, claim)
    isInterrupted = true
    const { files, refused, foreign } = await folder.look()
    for (const pair of settled(pairsOf(files), clock.now())) {
      // The others wait in the folder: each step with a document reads what is under way.
      if (open.size >= mostOpen) break
      // Grows, also over restarts and with a new store: what is taken later is known by it.
      const claim = await folder.claim(pair, clock.now() * 1000)
      if (claim) open.set(claim.id, claim)
    }
    isInterrupted = false
    return new Map([...refused, ...(foreign > 0 ? [['foreign', foreign] as const] : [])])
  }
}

/** Describes the error of a folder that is not there, such as a network drive that is not connected. */
function away(failure: unknown): unknown {
  const { code, syscall } = failure as NodeJS.ErrnoException
  if (!(failure instanceof Error) || syscall === undefined) return failure
  return new NodeError(
    'FOLDER_AWAY',
    `The folder cannot be used (${code}). Connect it, or fix its permissions; the node retries.`,
  )
}
