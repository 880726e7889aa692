/** Which files of a folder belong together: a PDF and the index of the same name. Pure. */
import { parse } from 'node:path'
import { indexKinds } from '../../../lib/mapping/files/read-index.ts'

/** A file in a folder, as it was seen. */
export interface SeenFile {
  name: string
  size: number
  /** When it was written last, in milliseconds since 1970. */
  writtenAt: number
  /** Tells it apart from other files of this machine, as long as the folder stays connected. */
  identity?: string
}

export interface Pair {
  pdf?: SeenFile
  index?: SeenFile
  /** Further files of the same name, by which it cannot be determined what is meant. */
  others: SeenFile[]
}

/** Names that programs use for files they are still writing. */
const UNFINISHED = /^[.~]|\.(tmp|part|partial|filepart|crdownload)$/i
const INDEX_ENDS: readonly string[] = indexKinds.map((kind) => `.${kind}`)

/** Whether a file of this name is a document or an index, and not under the name of one that is still written. */
export const isDocument = (name: string): boolean => partOf(parse(name).ext) !== null && !UNFINISHED.test(name)

/** Returns the pairs, also those of which one is missing; those whose last file is oldest come first. */
export function pairsOf(files: readonly SeenFile[]): Pair[] {
  const pairs = new Map<string, Pair>()
  for (const file of files) {
    const { name, ext } = parse(file.name)
    const part = partOf(ext)
    if (part === null || !isDocument(file.name)) continue
    // Some systems write letters with accents as two characters, and others ignore case.
    const key = name.normalize('NFC').toLowerCase()
    const pair = pairs.get(key) ?? { others: [] }
    if (pair[part]) pair.others.push(file)
    else pair[part] = file
    pairs.set(key, pair)
  }
  return [...pairs.values()].toSorted((a, b) => lastWritten(a) - lastWritten(b))
}

export const filesOf = ({ pdf, index, others }: Pair): SeenFile[] => [pdf, index, ...others].filter((file) => !!file)

/** When the last of its files was written. */
const lastWritten = (pair: Pair): number => Math.max(...filesOf(pair).map(({ writtenAt }) => writtenAt))

function partOf(extension: string): 'pdf' | 'index' | null {
  const end = extension.toLowerCase()
  if (end === '.pdf') return 'pdf'
  return INDEX_ENDS.includes(end) ? 'index' : null
}
