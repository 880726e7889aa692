/** Where the master key comes from: the environment, or for a sandbox a file that is made once and stays alongside the data. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MASTER_KEY_FORM, masterKeyIn, separated } from '../../domain/master-key-form.ts'
import { isServer } from '../../domain/store-place.ts'
import { holdsStore, KEY_FILE } from '../folder/data-files.ts'
import { putWhole } from '../folder/put-whole.ts'
import { writableFolder } from '../folder/writable-folder.ts'
import { WrongMasterKey } from './cipher.ts'

export const MASTER_KEY_VARIABLE = 'COUNTERSIGN_MASTER_KEY'
/** Keys that older values were sealed with, comma-separated; new values are sealed with the current one. */
export const OLD_MASTER_KEYS_VARIABLE = 'COUNTERSIGN_OLD_MASTER_KEYS'

/**
 * 32 bytes. `fromEnvironment` is the variable's text: 64 hexadecimal digits or Base64. `mayMakeFile` is true for a sandbox;
 * a production service without a key in its environment refuses to start, because a key alongside the data protects no one.
 */
export function masterKey(data: string, fromEnvironment: string | undefined, mayMakeFile: boolean): Buffer {
  if (fromEnvironment) return decoded(fromEnvironment, MASTER_KEY_VARIABLE)
  if (data === ':memory:') return randomBytes(32)
  const isStored = !isServer(data) && holdsStore(data)
  if (isStored && !hasKeyFile(data))
    throw new Error(
      `What is stored in ${data} was sealed with a master key that does not lie there. Set ${MASTER_KEY_VARIABLE} to it, or give --data another folder.`,
    )
  if (isStored && !mayMakeFile)
    throw new Error(
      `Set ${MASTER_KEY_VARIABLE} to the master key of what is stored in ${data}, or start with --sandbox if that is a sandbox's.`,
    )
  if (!mayMakeFile || isServer(data))
    throw new Error(
      `Set ${MASTER_KEY_VARIABLE} to 32 random bytes as Base64 (openssl rand -base64 32) and keep it safe: without it the stored documents cannot be read. To try the service, start with --sandbox and a data folder.`,
    )
  return fromFile(data, isStored)
}

/** The current key first, then older ones that what is stored may still be sealed with. */
export function masterKeys(
  data: string,
  fromEnvironment: string | undefined,
  older: string | undefined,
  mayMakeFile: boolean,
): [Buffer, ...Buffer[]] {
  return [
    masterKey(data, fromEnvironment, mayMakeFile),
    ...separated(older ?? '').map((text) => decoded(text, OLD_MASTER_KEYS_VARIABLE)),
  ]
}

/** Whether a key lies in the data folder, as in a sandbox's. */
export const hasKeyFile = (data: string): boolean => existsSync(join(data, KEY_FILE))

/**
 * Returns what handles the failure to open the store: a key from the file that does not open it means that the right one is
 * missing from the environment, and not that a wrong one is there.
 */
export const tellKeysApart =
  (data: string, fromEnvironment: string | undefined) =>
  (failure: unknown): never => {
    if (!(failure instanceof WrongMasterKey) || fromEnvironment || !hasKeyFile(data)) throw failure
    throw new Error(
      `${join(data, KEY_FILE)} is not the master key of what is stored there: set ${MASTER_KEY_VARIABLE} to the right one.`,
    )
  }

function fromFile(data: string, isStored: boolean): Buffer {
  const file = join(writableFolder(data), KEY_FILE)
  if (!hasKeyFile(data)) putWhole(file, randomBytes(32).toString('base64'))
  const text = readFileSync(file, 'utf8').trim()
  if (text !== '') return decoded(text, file)
  throw new Error(
    isStored
      ? `${file} is empty, and without the key that was in it nobody can read what is stored there: put it back, or restore a backup in another folder.`
      : `${file} is empty, as a full disk leaves it: remove it and start again.`,
  )
}

function decoded(text: string, source: string): Buffer {
  const key = masterKeyIn(text)
  if (!key) throw new Error(`${source} ${MASTER_KEY_FORM}.`)
  return key
}
