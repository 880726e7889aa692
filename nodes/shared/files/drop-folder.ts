/**
 * A folder into which others drop documents: what is taken up is moved to `processing`, and then to `done` or `error`. Each step can be
 * interrupted; `recover` finishes what was begun. The folder is believed in nothing: what was taken up, and how it ended, is in the
 * claim store, and what lies in `processing` without being there is foreign, and is not touched.
 */
import { chmod, lstat, mkdir, opendir, readdir, rename, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { parse, sep } from 'node:path'
import { NodeError } from '../runtime/failures.ts'
import { type CheckedFolder, identityOf, missingAsUndefined, withFolder, withFolderIn } from './checked-folder.ts'
import type { Claim, ClaimStore, Ending, Outcome } from './claim-store.ts'
import { isSame, lookAt, type Refusal, readSeen } from './dropped-file.ts'
import { filesOf, isDocument, type Pair, pairsOf, type SeenFile } from './pairs.ts'

export interface Look {
  files: SeenFile[]
  /** Why entries are not taken up, with how many there are of each. */
  refused: Map<Refusal, number>
  /** How many entries of `processing` this node has not put there. */
  foreign: number
}

export interface DropFolder {
  /** Looks at what lies in the folder itself. Rejects with what Node.js says of a folder that cannot be read, or FOLDER_REFUSED. */
  look(): Promise<Look>
  /** Moves the files of a pair to `processing`; null when none of them is there any more. `id` is the least number for it. */
  claim(pair: Pair, id: number): Promise<Claim | null>
  /** Returns a file of a claim, or why it cannot be used; null when it is missing. */
  read(claim: Claim, file: SeenFile, maxBytes: number): Promise<Buffer | 'replaced' | 'large' | null>
  /** Moves the files of a claim to their end; reasons are written next to them as `.reason.json`. Continues what was interrupted. */
  finish(claim: Claim, outcome: Outcome, reasons?: readonly string[]): Promise<void>
  /** Finishes what was interrupted, and returns what was taken up and has no outcome, oldest first. */
  recover(): Promise<Claim[]>
}

/** Files under way are for this user alone. People correct and remove what has ended, as the umask allows. */
const PROCESSING = { name: 'processing', mode: 0o700 }
const ENDED_MODE = 0o777

export interface DropFolderOptions {
  folder: string
  /** Where the nodes keep their files, directly in the user directory. */
  stateFolder: string
  store: ClaimStore
}

export function openDropFolder({ folder, stateFolder, store }: DropFolderOptions): DropFolder {
  const withDropped = <T>(work: (dropped: CheckedFolder) => Promise<T>) =>
    withFolder(folder, async (dropped) => {
      await mustNotBeOwn(dropped, stateFolder)
      return work(dropped)
    })

  /** Whatever is missing here was there when a document was taken up, so that a drive may be disconnected. */
  const withBoth = <T>(work: (dropped: CheckedFolder, processing: CheckedFolder) => Promise<T>) =>
    withDropped(async (dropped) => {
      const result = await withFolderIn(dropped, { name: PROCESSING.name }, async (processing) => ({
        value: await work(dropped, processing),
      }))
      if (result) return result.value
      throw new NodeError('FOLDER_AWAY', NO_PROCESSING)
    })

  async function moveIn({ id, ...claim }: Claim, dropped: CheckedFolder, processing: CheckedFolder): Promise<void> {
    await withFolderIn(processing, { name: String(id), mode: PROCESSING.mode }, async (place) => {
      for (const file of partsOf(claim))
        await dropped.at(file.name, async (from) => {
          const found = await lookAt(dropped, file.name)
          // Another file has the name by now; it waits for its own turn.
          if (typeof found !== 'object' || !isSame(found, file) || (await isThere(place, file.name))) return
          await place.at(file.name, (to) => missingAsUndefined(rename(from, to)))
        })
    })
  }

  async function moveOut(claim: Claim, ending: Ending, dropped: CheckedFolder, processing: CheckedFolder) {
    const { outcome, reasons } = ending
    const place = { name: String(claim.id) }
    await withFolderIn(dropped, { name: outcome, mode: ENDED_MODE }, async (target) => {
      let { suffix } = ending
      /** Returns a name under which nothing is there: since the suffix was chosen, something may have come. */
      const freeName = async (name: string) => {
        if (!(await isThere(target, withSuffix(name, suffix)))) return withSuffix(name, suffix)
        suffix = await freeSuffix(claim, target)
        store.end(claim.id, { ...ending, suffix })
        return withSuffix(name, suffix)
      }
      await withFolderIn(processing, place, async (from) => {
        for (const { name } of partsOf(claim)) {
          const found = await lookAt(from, name)
          // Links, folders and pipes were not put there by this node.
          if (found !== undefined && found !== 'link' && found !== 'special')
            await from.at(name, async (old) => target.at(await freeName(name), (path) => rename(old, path)))
        }
      })
      if (reasons.length === 0) return
      const note = withSuffix(noteOf(claim), suffix)
      await writeNote(target, (await lookAt(target, note)) === 'special' ? await freeName(noteOf(claim)) : note, {
        reasons,
      })
    })
    // A folder that is not empty holds what this node has not put there, and is foreign from now on.
    await processing.at(place.name, (path) => rmdir(path).catch(ignoring('ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')))
    store.remove(claim.id)
  }

  return {
    look: () =>
      withDropped(async (dropped) => {
        for (const name of ['done', 'error']) await withFolderIn(dropped, { name }, async () => {})
        const foreign = await foreignIn(dropped, store)
        const { names, further } = await documentsIn(dropped)
        const files: SeenFile[] = []
        const refused: Look['refused'] = new Map(further > 0 ? [['many', further]] : [])
        for (let at = 0; at < names.length; at += LOOKED_AT_ONCE) {
          const part = names.slice(at, at + LOOKED_AT_ONCE)
          for (const found of await Promise.all(part.map((name) => lookAt(dropped, name))))
            if (typeof found === 'object') files.push(found)
            else if (found) refused.set(found, (refused.get(found) ?? 0) + 1)
        }
        // What belongs to a single file may be among those that were not looked at.
        const whole = further === 0 ? files : pairsOf(files).filter(isComplete).flatMap(filesOf)
        return { files: whole, refused, foreign }
      }),
    claim: (pair, least) =>
      withDropped((dropped) =>
        withFolderIn(dropped, PROCESSING, async (processing) => {
          await close(processing)
          const { pdf = null, index = null, others } = pair
          let id = Math.max(least, store.lastId() + 1)
          while (await isThere(processing, String(id))) id += 1
          const claim: Claim = { id, pdf, index, others }
          const files = filesOf(pair)
          // Another program that reads the share may have moved them.
          const found = await Promise.all(files.map(({ name }) => lookAt(dropped, name)))
          if (!found.every((one, at) => typeof one === 'object' && isSame(one, files[at]!))) return null
          if (isUnderWay(files, store)) return null
          store.add(claim)
          await processing.at(String(id), (path) => mkdir(path, PROCESSING.mode))
          await moveIn(claim, dropped, processing)
          return claim
        }),
      ).then((claim) => claim ?? null),
    read: ({ id }, file, maxBytes) =>
      withBoth(async (_dropped, processing) => {
        const read = withFolderIn(processing, { name: String(id) }, (place) => readSeen(place, file, maxBytes))
        return (await missingAsUndefined(read)) ?? null
      }),
    finish: (claim, outcome, reasons = []) =>
      withBoth(async (dropped, processing) => {
        const kept = store.all().find((one) => one.claim.id === claim.id)
        if (!kept) return
        const ending = kept.ending ?? { outcome, suffix: await suffixIn(dropped, outcome, claim), reasons }
        if (!kept.ending) store.end(claim.id, ending)
        await moveOut(claim, ending, dropped, processing)
      }),
    async recover() {
      const kept = store.all()
      if (kept.length === 0) return []
      return withBoth(async (dropped, processing) => {
        const open: Claim[] = []
        for (const { claim, ending } of kept)
          if (ending === null) {
            await moveIn(claim, dropped, processing)
            open.push(claim)
          } else await moveOut(claim, ending, dropped, processing)
        return open
      })
    },
  }
}

/** The most documents of a look, and the most entries among which they are looked for: a folder may be filled without end. */
const MOST_DOCUMENTS = 10_000
const MOST_ENTRIES = 100_000
const LOOKED_AT_ONCE = 100

/** Returns the names of documents, and how many more there are. */
async function documentsIn(dropped: CheckedFolder): Promise<{ names: string[]; further: number }> {
  return dropped.within(async (path) => {
    const names: string[] = []
    let [entries, further] = [0, 0]
    for await (const { name } of await opendir(path, { bufferSize: LOOKED_AT_ONCE })) {
      entries += 1
      if (entries > MOST_ENTRIES) return { names, further: further + 1 }
      if (!isDocument(name)) continue
      if (names.length < MOST_DOCUMENTS) names.push(name)
      else further += 1
    }
    return { names, further }
  })
}

const isComplete = ({ pdf, index }: Pair): boolean => pdf !== undefined && index !== undefined

const NO_PROCESSING =
  'The folder "processing" is missing, in which documents lie that were taken up. Connect the drive again; the node retries. If they ' +
  'are permanently gone, make an empty folder "processing": they are then listed in "error".'

const partsOf = ({ pdf, index, others }: Omit<Claim, 'id'>): SeenFile[] =>
  [pdf, index, ...others].filter((file) => file !== null)

/** Node-RED's own files, such as its flows, look like the index of a document. */
async function mustNotBeOwn(dropped: CheckedFolder, stateFolder: string): Promise<void> {
  const own = await Promise.all(
    [stateFolder, `${stateFolder}${sep}..`].map((path) => missingAsUndefined(stat(path, { bigint: true }))),
  )
  if (own.some((stats) => stats && identityOf(stats) === identityOf(dropped.stats)))
    throw new NodeError(
      'FOLDER_REFUSED',
      'The folder is that of Node-RED itself. Enter another one in the form, into which nothing but documents is written.',
    )
}

/** Closes `processing` to others, where the file system has modes. */
const close = (processing: CheckedFolder): Promise<void> =>
  processing.within(async (path) => {
    if (process.geteuid !== undefined && (processing.stats.mode & 0o077n) !== 0n)
      await chmod(path, 0o700).catch(() => {})
  })

/** Whether a file was taken up and not moved yet, as by a look of the same node that a deploy has not ended in time. */
const isUnderWay = (files: readonly SeenFile[], store: ClaimStore): boolean =>
  store
    .all()
    .flatMap(({ claim }) => partsOf(claim))
    .some((part) => files.some((file) => file.name === part.name && isSame(file, part)))

/** Returns how many entries of `processing` are not this node's. Throws FOLDER_AWAY when it is missing with what this node put there. */
async function foreignIn(dropped: CheckedFolder, store: ClaimStore): Promise<number> {
  const names = await withFolderIn(dropped, { name: PROCESSING.name }, (processing) =>
    processing.within((path) => readdir(path)),
  )
  const ours = new Set(store.ids().map(String))
  if (!names && ours.size > 0) throw new NodeError('FOLDER_AWAY', NO_PROCESSING)
  if (!names) return 0
  return names.filter((name) => !ours.has(name)).length
}

const isThere = (folder: CheckedFolder, name: string): Promise<boolean> =>
  folder.at(name, async (path) => (await missingAsUndefined(lstat(path))) !== undefined)

const suffixIn = async (dropped: CheckedFolder, outcome: Outcome, claim: Claim): Promise<string> =>
  (await withFolderIn(dropped, { name: outcome, mode: ENDED_MODE }, (target) => freeSuffix(claim, target))) ?? ''

/** Returns a suffix under which none of the files is there. */
async function freeSuffix(claim: Claim, target: CheckedFolder): Promise<string> {
  const taken = new Set((await target.within((path) => readdir(path))).map(folded))
  const names = [...partsOf(claim).map(({ name }) => name), noteOf(claim)]
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`
    if (names.every((name) => !taken.has(folded(withSuffix(name, suffix))))) return suffix
  }
}

/** File systems may ignore case, and write letters with accents in two ways. */
const folded = (name: string): string => name.normalize('NFC').toLowerCase()

const NOTE = '.reason.json'
const noteOf = (claim: Claim): string => `${parse(partsOf(claim)[0]!.name).name}${NOTE}`

/** File systems allow so many bytes. */
const MAX_BYTES = 255

/** Returns `order (2).pdf` for `order.pdf`, and cuts the name where it is too long for that. */
function withSuffix(file: string, suffix: string): string {
  const end = file.endsWith(NOTE) ? NOTE : parse(file).ext
  const room = MAX_BYTES - Buffer.byteLength(suffix) - NOTE.length
  let stem = ''
  for (const character of file.slice(0, file.length - end.length)) {
    if (Buffer.byteLength(stem + character) > room && Buffer.byteLength(file + suffix) > MAX_BYTES) break
    stem += character
  }
  return `${stem}${suffix}${end}`
}

/** Writes a note as a whole. A link that waits under its name is replaced, and not followed. */
async function writeNote(target: CheckedFolder, name: string, note: object): Promise<void> {
  await target.at(TEMPORARY_NOTE, async (temporary) => {
    await unlink(temporary).catch(ignoring('ENOENT'))
    await writeFile(temporary, JSON.stringify(note), { flag: 'wx', flush: true })
    await target.at(name, (path) => rename(temporary, path))
  })
}

const TEMPORARY_NOTE = `.countersign${NOTE}.tmp`

const ignoring =
  (...codes: string[]) =>
  (failure: NodeJS.ErrnoException): void => {
    if (!codes.includes(failure.code ?? '')) throw failure
  }
