/**
 * The messages that a node has accepted from a sender who does not send them again: sealed in a file until another node takes each
 * over (`taken`), and sent into the flow in the order of their arrival. What a crash, a deploy or a failure has left is sent again.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import { pack, unpack } from '../carry/pack.ts'
import type { Seal } from '../carry/seal.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import { inGroups } from './in-groups.ts'
import { type Entry, openIntakeStore } from './intake-store.ts'
import { createOutflow } from './outflow.ts'
import { intakeId, listenForTaken } from './taken.ts'

export interface IntakeOptions {
  file: string
  nodeId: string
  seal: Seal
  clock: Clock
  /** The most characters of messages to keep that nobody has taken, as they are sealed: 4 for 3 bytes. */
  maxChars: number
  /** After how many ms a message that nobody has taken is sent into the flow again; 0 for not before the next start. */
  repeatMs: number
  /** Sends a message into the flow. */
  emit: (message: Message) => void
  /** Told when a file cannot be written outside of a call, and when a message cannot be opened, which stays where it is. */
  onError: (failure: NodeError) => void
  /** Told of each change of `waiting`. */
  onChange?: () => void
}

/** `known`: the same message was accepted before, so it does not go into the flow once more. `full`: nothing was written. */
export type Accepted = 'new' | 'known' | 'full'

export interface Intake {
  /**
   * Writes a message down. Resolves when it is on the disk; rejects with the NodeError CANNOT_KEEP when it cannot be written.
   * @param bytes what tells it apart from other messages, as it came
   */
  accept(message: Message, bytes: Uint8Array): Promise<Accepted>
  /** Begins to send messages into the flow; to be called when the flows have started. */
  begin(): void
  /** How many messages nobody has taken. */
  readonly waiting: number
  /** @param isDeleted whether no later start may go on with them; the file is then removed */
  close(isDeleted: boolean): Promise<void>
}

/** How long a message that was taken is known when it comes again: engines repeat within hours, people within days. */
const KNOWN_MS = 7 * 86_400_000
const MOST_MESSAGES = 100_000
/** New messages between two looks for digests that are too old. */
const PER_SWEEP = 1000

/** Throws the NodeError CANNOT_KEEP when the file cannot be had. */
export function openIntake(options: IntakeOptions): Intake {
  const { file, nodeId, seal, clock, maxChars, repeatMs, emit, onError, onChange = () => {} } = options
  const store = keeping(() => openIntakeStore(file))
  const used = store.waiting()
  let sinceSweep = 0
  const placeOf = (digest: string) => `intake/${nodeId}/${digest}`

  const write = inGroups((messages: { digest: string; sealed: string }[]) =>
    keeping(() => {
      const isNew = store.write(messages, clock.now())
      sinceSweep += messages.length
      if (sinceSweep >= PER_SWEEP) store.sweep(clock.now() - KNOWN_MS)
      sinceSweep %= PER_SWEEP
      return isNew
    }),
  )
  const take = inGroups((ids: number[]) =>
    keeping(() => {
      const gone = store.take(ids)
      used.count -= gone.count
      used.size -= gone.size
      onChange()
      return ids
    }),
  )

  const outflow = createOutflow({ clock, repeatMs, next: store.next, send })
  function send({ id, digest }: Entry): void {
    let message: Message
    try {
      message = unpack(seal.open(store.read(id), placeOf(digest)))
    } catch {
      onError(new NodeError('CANNOT_OPEN', CANNOT_OPEN))
      return
    }
    emit({ ...message, intake: intakeId(nodeId, id) })
  }

  let underWay = Promise.resolve()
  const stopListening = listenForTaken(nodeId, (id) => {
    outflow.taken(id)
    underWay = take(id).then(
      () => {},
      (failure) => onError(failure),
    )
  })

  return {
    async accept(message, bytes) {
      const digest = createHash('sha256').update(bytes).digest('hex')
      const sealed = keeping(() =>
        seal.seal(pack(message, { maxBytes: Number.POSITIVE_INFINITY }).bytes, placeOf(digest)),
      )
      if (used.count >= MOST_MESSAGES || used.size + sealed.length > maxChars) return 'full'
      used.count += 1
      used.size += sealed.length
      const isNew = await write({ digest, sealed }).catch((failure) => {
        release(sealed)
        throw failure
      })
      if (!isNew) release(sealed)
      outflow.flow()
      onChange()
      return isNew ? 'new' : 'known'
    },
    begin: () => outflow.flow(),
    get waiting() {
      return used.count
    },
    async close(isDeleted) {
      stopListening()
      outflow.stop()
      await underWay
      store.close(isDeleted)
    },
  }

  function release(sealed: string): void {
    used.count -= 1
    used.size -= sealed.length
  }
}

const CANNOT_OPEN =
  'A message that was accepted cannot be opened, because the credentialSecret of Node-RED has changed since. It stays in the ' +
  'journal: restore the secret and restart, or have the sender send the message again.'

/** What SQLite and Node.js say of a file holds nothing of a message. */
function keeping<T>(work: () => T): T {
  try {
    return work()
  } catch (failure) {
    const { code = 'UNKNOWN', errstr } = failure as { code?: string; errstr?: string }
    throw new NodeError(
      'CANNOT_KEEP',
      `The journal of accepted messages cannot be read or written (${errstr ?? code}), so none is accepted. Free space on the ` +
        'disk, and let Node-RED write to the folder "countersign" in its user directory; the sender then sends again.',
    )
  }
}
