/** The journal of accepted orders, within its limits: every entry is sealed, and bound to its node and its place. */
import { sealOf } from '../carry/seal-of.ts'
import { warnsOnce } from '../carry/warns-once.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Config, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { RUN } from '../runtime/run.ts'
import type { ServiceNode } from '../service/connection.ts'
import { type AcceptedEntry, type Contents, packContents, unpackContents } from './accepted-entry.ts'

/** Every method rejects with the NodeError CANNOT_KEEP when the journal fails. */
export interface AcceptedJournal {
  /** Returns false, and writes nothing, when there is no room. @param taskId once there is a task */
  write(id: string, contents: Contents, taskId?: number): Promise<boolean>
  /** Puts other contents in the place of those of an entry; writes nothing when another process has taken the entry over. */
  rewrite(id: string, contents: Contents, taskId: number): Promise<boolean>
  remove(id: string): Promise<void>
  /** Every entry that this journal does not know yet, with its contents, which are undefined when they cannot be opened. */
  read(): Promise<{ id: string; entry: AcceptedEntry; contents: Contents | undefined }[]>
  /**
   * Puts an entry where no start continues with it, until a person has decided.
   * @param withdrawnAt when the document was withdrawn, if that is why
   */
  park(id: string, withdrawnAt: number | undefined): Promise<void>
  /** Makes the entries of processes that have ended those of this one. Returns how many; `read` returns them. */
  takeOver(): Promise<number>
  /** How many orders are known to be kept. */
  readonly count: number
}

export interface AcceptedOptions {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  service: ServiceNode
}

const MOST_ORDERS = 1000

/** Names what the seal of an entry is bound to. */
export const sealPlaceOf = (nodeId: string, id: string): string => `create/${nodeId}/${id}`

export function openAcceptedJournal({ runtime, node, config, service }: AcceptedOptions): AcceptedJournal {
  const seal = sealOf(runtime)
  const placeOf = (id: string) => sealPlaceOf(node.id, id)
  const maxChars = (Number(config.keepLimit) || 0) * 1024 * 1024
  /** The length of each known entry. */
  const sizes = new Map<string, number>()
  const warn = warnsOnce((names) => node.warn(runtime._('warning.notKept', { names })))
  const journal = () => service.ownJournal(`accepted-${node.id}`)

  function hasRoom(id: string, size: number): boolean {
    const others = [...sizes].filter(([other]) => other !== id)
    return others.length < MOST_ORDERS && others.reduce((sum, [, taken]) => sum + taken, size) <= maxChars
  }

  function opened(id: string, { sealed }: AcceptedEntry): Contents | undefined {
    try {
      return unpackContents(seal().open(sealed, placeOf(id)))
    } catch {
      return undefined
    }
  }

  async function put(isNew: boolean, id: string, contents: Contents, taskId?: number): Promise<boolean> {
    const { bytes, dropped } = packContents(contents)
    try {
      const sealed = seal().seal(bytes, placeOf(id))
      if (!hasRoom(id, sealed.length)) return false
      warn(dropped)
      sizes.set(id, sealed.length)
      const entry: AcceptedEntry = { sealed, run: RUN, ...(taskId !== undefined && { taskId }) }
      if (isNew) await (await journal()).set(id, entry)
      else await (await journal()).change<AcceptedEntry>(id, (known) => known && entry)
      return true
    } catch (failure) {
      if (taskId === undefined) sizes.delete(id)
      throw cannotKeep(failure)
    }
  }

  return {
    write: (id, contents, taskId) => put(true, id, contents, taskId),
    rewrite: (id, contents, taskId) => put(false, id, contents, taskId),
    async remove(id) {
      try {
        await (await journal()).delete(id)
        sizes.delete(id)
      } catch (failure) {
        throw cannotKeep(failure)
      }
    },
    async read() {
      const found: Awaited<ReturnType<AcceptedJournal['read']>> = []
      try {
        for await (const [id, entry] of (await journal()).entries<AcceptedEntry>())
          if (!sizes.has(id)) found.push({ id, entry, contents: opened(id, entry) })
      } catch (failure) {
        throw cannotKeep(failure)
      }
      for (const { id, entry } of found) sizes.set(id, entry.sealed.length)
      return found
    },
    async park(id, withdrawnAt) {
      try {
        const entry = await (await journal()).get<AcceptedEntry>(id)
        const parked = { ...entry, ...(withdrawnAt !== undefined && { withdrawnAt }) }
        if (entry) await (await service.journal(`parked-${node.id}`)).set(id, parked)
        await (await journal()).delete(id)
        sizes.delete(id)
      } catch (failure) {
        throw cannotKeep(failure)
      }
    },
    async takeOver() {
      try {
        return await (await journal()).takeOver()
      } catch (failure) {
        throw cannotKeep(failure)
      }
    },
    get count() {
      return sizes.size
    },
  }
}

/** The texts of SQLite and of Node.js's codes hold nothing of the entry. */
function cannotKeep(failure: unknown): NodeError {
  if (failure instanceof NodeError) return failure
  const { code = 'UNKNOWN', errstr } = failure as { code?: string; errstr?: string }
  return new NodeError(
    'CANNOT_KEEP',
    `The journal of the signature service cannot be read or written (${errstr ?? code}), so a document would be lost in a crash. ` +
      'Free space on the disk, and let Node-RED write to the folder "countersign" in its user directory; then send the message again.',
  )
}
