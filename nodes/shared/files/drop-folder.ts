/**
 * A folder into which others drop documents: what is taken up lies in `processing`, and what became of it in `done` or `error`. Each
 * step can be interrupted; `recover` finishes what was begun.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { filesOf, type Pair, type SeenFile } from './pairs.ts'

/** A document that was taken up. */
export interface Claim {
  /** Names its folder in `processing`; grows with each claim. */
  id: number
  /** The names of its files. */
  pdf: string | null
  index: string | null
  others: string[]
  /** In bytes, of all files. */
  size: number
}

export type Outcome = 'done' | 'error'

export interface DropFolder {
  /** Returns the files that lie in the folder itself. Rejects with what Node.js says of a folder that cannot be read. */
  list(): Promise<SeenFile[]>
  /** Moves the files of a pair to `processing`. */
  claim(pair: Pair, id: number): Promise<Claim>
  /** Returns a file of a claim. */
  read(claim: Claim, name: string): Promise<Buffer>
  /** Moves the files of a claim to their end; reasons stand beside them as `.reason.json`. Goes on where it was interrupted. */
  finish(claim: Claim, outcome: Outcome, reasons?: readonly string[]): Promise<void>
  /** Finishes what was interrupted, and returns what was taken up and has no outcome, oldest first. */
  recover(): Promise<Claim[]>
}

/** Within the folder of a claim: what is to be moved there, and what is to become of it. */
const CLAIM = '.claim.json'
const OUTCOME = '.outcome.json'

interface Ending {
  outcome: Outcome
  /** What stands behind the names, so that no file there is replaced. */
  suffix: string
  reasons: readonly string[]
}

export function openDropFolder(folder: string): DropFolder {
  const processing = join(folder, 'processing')
  const placeOf = (id: number) => join(processing, String(id))

  async function moveIn(claim: Claim): Promise<void> {
    for (const name of namesOf(claim)) await moveIfThere(join(folder, name), join(placeOf(claim.id), name))
  }

  async function moveOut(claim: Claim, { outcome, suffix, reasons }: Ending): Promise<void> {
    const [place, target] = [placeOf(claim.id), join(folder, outcome)]
    for (const name of namesOf(claim)) await moveIfThere(join(place, name), join(target, withSuffix(name, suffix)))
    if (reasons.length > 0) await writeWhole(join(target, withSuffix(noteOf(claim), suffix)), { reasons })
    await rm(place, { recursive: true, force: true })
  }

  /** A suffix under which neither of the files is there. */
  async function freeSuffix(claim: Claim, outcome: Outcome): Promise<string> {
    const taken = new Set((await readdir(join(folder, outcome))).map((name) => name.toLowerCase()))
    const names = [...namesOf(claim), noteOf(claim)]
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : ` (${number})`
      if (names.every((name) => !taken.has(withSuffix(name, suffix).toLowerCase()))) return suffix
    }
  }

  return {
    async list() {
      const entries = await readdir(folder, { withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      const seen = await Promise.all(files.map(({ name }) => seenAt(join(folder, name), name)))
      return seen.filter((file) => file !== null)
    },
    async claim(pair, id) {
      const { pdf, index, others } = pair
      const claim: Claim = {
        id,
        pdf: pdf?.name ?? null,
        index: index?.name ?? null,
        others: others.map(({ name }) => name),
        size: filesOf(pair).reduce((sum, { size }) => sum + size, 0),
      }
      await made(processing)
      await mkdir(placeOf(id))
      await writeWhole(join(placeOf(id), CLAIM), claim)
      await moveIn(claim)
      return claim
    },
    read: ({ id }, name) => readFile(join(placeOf(id), name)),
    async finish(claim, outcome, reasons = []) {
      const place = placeOf(claim.id)
      if ((await seenAt(place, '')) === null) {
        // Finished already, unless the folder is away.
        await readdir(folder)
        return
      }
      await made(join(folder, outcome))
      const known = await readJson<Ending>(join(place, OUTCOME))
      const ending = known ?? { outcome, suffix: await freeSuffix(claim, outcome), reasons }
      if (known === null) await writeWhole(join(place, OUTCOME), ending)
      await moveOut(claim, ending)
    },
    async recover() {
      const ids = (await readdir(processing).catch(nothingThere)).map(Number).filter(Number.isSafeInteger)
      const open: Claim[] = []
      for (const id of ids.toSorted((a, b) => a - b)) {
        const claim = await readJson<Claim>(join(placeOf(id), CLAIM))
        const ending = await readJson<Ending>(join(placeOf(id), OUTCOME))
        // Nothing was moved before the claim was written.
        if (claim === null) await rm(placeOf(id), { recursive: true, force: true })
        else if (ending === null) {
          await moveIn(claim)
          open.push(claim)
        } else await moveOut(claim, ending)
      }
      return open
    },
  }
}

const namesOf = ({ pdf, index, others }: Claim): string[] => [pdf, index, ...others].filter((name) => name !== null)

const NOTE = '.reason.json'
const noteOf = (claim: Claim): string => `${parse(namesOf(claim)[0]!).name}${NOTE}`

/** `order.pdf` → `order (2).pdf`. */
function withSuffix(file: string, suffix: string): string {
  const end = file.endsWith(NOTE) ? NOTE : parse(file).ext
  return `${file.slice(0, file.length - end.length)}${suffix}${end}`
}

/** Makes a folder within one that is there: the place of a network drive that is not connected must stay empty. */
async function made(place: string): Promise<void> {
  await mkdir(place).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'EEXIST') throw failure
  })
}

/** A file that is not there any more was moved before the interruption, and one that has its name since then is another one. */
async function moveIfThere(from: string, to: string): Promise<void> {
  if ((await seenAt(to, '')) !== null) return
  await rename(from, to).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'ENOENT') throw failure
  })
}

/** A reader sees the whole file or none. */
async function writeWhole(file: string, json: object): Promise<void> {
  await writeFile(`${file}.tmp`, JSON.stringify(json), { flush: true })
  await rename(`${file}.tmp`, file)
}

async function readJson<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw failure
  }
}

async function seenAt(path: string, name: string): Promise<SeenFile | null> {
  try {
    const { size, mtimeMs } = await stat(path)
    return { name, size, writtenAt: mtimeMs }
  } catch (failure) {
    return nothingThere(failure as NodeJS.ErrnoException, null)
  }
}

function nothingThere<T = never[]>(failure: NodeJS.ErrnoException, otherwise: T = [] as T): T {
  if (failure.code === 'ENOENT') return otherwise
  throw failure
}
