/** Says which entries of a folder are not taken up, and what to do. Names no file: it may have the name of a patient. */
import type { Seen } from './folder-intake.ts'

type Reason = Seen['refused'] extends ReadonlyMap<infer Key, number> ? Key : never

/** Returns the sentences as one text; empty when nothing was refused. */
export const refusalsInWords = (refused: Seen['refused']): string =>
  [...refused]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([reason, count]) => SENTENCES[reason](count))
    .join(' ')

const SENTENCES: Readonly<Record<Reason, (count: number) => string>> = {
  foreign: (count) =>
    `Not put there by this node: ${count} in the folder "processing". They are neither read nor moved. Let one node alone use the folder; ` +
    'move files that are still needed back into it, and remove the others.',
  hardLink: (count) =>
    `Files with more than one name (hard links): ${count}. They are not read. Remove them, and copy the files into the folder.`,
  link: (count) => `Links: ${count}. They are not followed. Remove them, and copy the files into the folder.`,
  many: (count) =>
    `More files than are looked at at one time: ${count} or more. Complete pairs are taken up, and make room for them. Find out which ` +
    'program fills the folder, and remove what is not a document.',
  name: (count) =>
    `File names with control characters, slashes, or bytes that are not UTF-8: ${count}. The files are not read. Rename them.`,
  special: (count) =>
    `Folders, pipes, sockets or devices with the name of a document: ${count}. They are not read. Remove or rename them.`,
  unreadable: (count) => `Files that the user of Node-RED may not read: ${count}. Change their permissions.`,
}
