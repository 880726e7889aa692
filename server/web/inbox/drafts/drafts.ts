/**
 * The drafts of the person who is signed in: in memory for the page, and sealed in the browser for after a reload, a sign-out or
 * an expired session. The key is asked of the service once, and forgotten with the session.
 */
import type { Opened } from '../../../operations/signer/messages.ts'
import { call } from '../../shared/api.ts'
import type { Draft } from '../desk/draft.ts'
import { type DraftCipher, draftCipher } from './draft-cipher.ts'
import * as shelf from './draft-shelf.ts'

type Document = Pick<Opened, 'taskId' | 'sha256'>

/** Whether a draft is being written, could not be kept, or was kept, and then when (ms since 1970). */
export type Keeping = 'underWay' | 'failed' | number

interface Session {
  cipher: Promise<DraftCipher> | null
  drafts: Map<number, Draft>
  keeping: Map<number, Keeping>
  /** Drafts that are not written yet; only the latest of a document is. */
  unwritten: Map<number, { document: Document; draft: Draft }>
  writing: Promise<void> | null
}

let session = newSession()
let onChange = () => {}

function newSession(): Session {
  return { cipher: null, drafts: new Map(), keeping: new Map(), unwritten: new Map(), writing: null }
}

/** Forgets what is in memory. What is being written is finished, and stays in the browser. */
export const closeDrafts = () => {
  session = newSession()
}

/** Sets the one function that is called when the state of a draft changes. Returns a function that ends this. */
export function whenKept(listener: () => void): () => void {
  onChange = listener
  return () => {
    onChange = () => {}
  }
}

export const keepingOf = (taskId: number): Keeping | undefined => session.keeping.get(taskId)

/** Returns the draft of a document as it was left, or null. One of another version of the document is none. */
export async function findDraft(document: Document): Promise<Draft | null> {
  const { taskId } = document
  const { drafts, keeping } = session
  const inMemory = drafts.get(taskId)
  if (inMemory) return inMemory
  try {
    const cipher = await cipherOf(session)
    const found = await shelf.find(cipher.owner, taskId)
    if (!found) return null
    const draft = JSON.parse(await cipher.open(found, bindingOf(document))) as Draft
    drafts.set(taskId, draft)
    keeping.set(taskId, found.savedAt)
    return draft
  } catch {
    return null
  }
}

export function keepDraft(document: Document, draft: Draft): void {
  const { taskId } = document
  session.drafts.set(taskId, draft)
  session.unwritten.set(taskId, { document, draft })
  tell(session, taskId, 'underWay')
  session.writing ??= write(session)
}

/** A draft that cannot be removed now is removed once it is known that the document no longer waits. */
export const dropDraft = (taskId: number) => void removeDraft(taskId).catch(() => {})

export async function removeDraft(taskId: number): Promise<void> {
  const mine = session
  for (const map of [mine.drafts, mine.unwritten, mine.keeping]) map.delete(taskId)
  onChange()
  // A write that is under way would come after the removal.
  await mine.writing
  await shelf.remove((await cipherOf(mine)).owner, taskId)
}

/** The ids of the tasks that there are drafts of in this browser. */
export const draftedTasks = async (): Promise<number[]> => shelf.tasksOf((await cipherOf(session)).owner)

/** Removes what the person who is signed in has in this browser, and no one else's. */
export async function dropAllDrafts(): Promise<void> {
  const mine = session
  mine.unwritten.clear()
  await mine.writing
  await shelf.removeAll((await cipherOf(mine)).owner)
}

async function write(mine: Session): Promise<void> {
  for (const [taskId, { document, draft }] of mine.unwritten) {
    mine.unwritten.delete(taskId)
    const kept = await shelved(mine, document, draft).catch(() => 'failed' as const)
    if (mine.drafts.has(taskId) && !mine.unwritten.has(taskId)) tell(mine, taskId, kept)
  }
  mine.writing = null
}

async function shelved(mine: Session, document: Document, draft: Draft): Promise<number> {
  const cipher = await cipherOf(mine)
  const sealed = await cipher.seal(JSON.stringify(draft), bindingOf(document))
  const savedAt = Date.now()
  await shelf.shelve({ owner: cipher.owner, taskId: document.taskId, savedAt, ...sealed })
  return savedAt
}

/** Asked for again after a failure. */
function cipherOf(mine: Session): Promise<DraftCipher> {
  mine.cipher ??= call<{ secret: string }>('GET', '/inbox/api/draft-secret')
    .then(({ secret }) => draftCipher(secret))
    .catch((failure: unknown) => {
      mine.cipher = null
      throw failure
    })
  return mine.cipher
}

function tell(mine: Session, taskId: number, keeping: Keeping): void {
  mine.keeping.set(taskId, keeping)
  onChange()
}

const bindingOf = ({ taskId, sha256 }: Document) => `draft/${taskId}/${sha256}`
