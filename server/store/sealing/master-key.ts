/** Where the master key comes from: the environment, or for a sandbox a file that is made once and stays beside the data. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE, KEY_FILE } from '../folder/data-files.ts'
import { writableFolder } from '../folder/writable-folder.ts'

export const MASTER_KEY_VARIABLE = 'COUNTERSIGN_MASTER_KEY'
/** Keys that older values were sealed with, comma-separated; new values are sealed with the current one. */
export const OLD_MASTER_KEYS_VARIABLE = 'COUNTERSIGN_OLD_MASTER_KEYS'

/**
 * 32 bytes. `fromEnvironment` is the variable's text: 64 hexadecimal digits or Base64. `mayMakeFile` is true for a sandbox;
 * a production service without a key in its environment refuses to start, because a key beside the data protects nobody.
 */
export function masterKey(data: string, fromEnvironment: string | undefined, mayMakeFile: boolean): Buffer {
  if (fromEnvironment) return decoded(fromEnvironment.trim(), MASTER_KEY_VARIABLE)
  if (data === ':memory:') return randomBytes(32)
  if (!mayMakeFile || /^postgres(ql)?:/.test(data))
    throw new Error(
      `Set ${MASTER_KEY_VARIABLE} to 32 random bytes as Base64 (openssl rand -base64 32) and keep it safe: without it the stored documents cannot be read. To try the service, start with --sandbox and a data folder.`,
    )
  if (existsSync(join(data, DATABASE_FILE)) && !hasKeyFile(data))
    throw new Error(
      `What is stored in ${data} was sealed with a master key that does not lie there. Set ${MASTER_KEY_VARIABLE} to it, or give --data another folder.`,
    )
  return fromFile(join(writableFolder(data), KEY_FILE))
}

/** The current key first, then older ones that what is stored may still be sealed with. */
export function masterKeys(
  data: string,
  fromEnvironment: string | undefined,
  older: string | undefined,
  mayMakeFile: boolean,
): [Buffer, ...Buffer[]] {
  const texts = (older ?? '').split(',').flatMap((text) => text.trim() || [])
  return [
    masterKey(data, fromEnvironment, mayMakeFile),
    ...texts.map((text) => decoded(text, OLD_MASTER_KEYS_VARIABLE)),
  ]
}

/** Whether the data folder is a sandbox's, which has its key beside it. */
export const hasKeyFile = (data: string): boolean => existsSync(join(data, KEY_FILE))

function fromFile(file: string): Buffer {
  try {
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx', flush: true })
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure
  }
  return decoded(readFileSync(file, 'utf8').trim(), file)
}

function decoded(text: string, source: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length !== 32) throw new Error(`${source} must hold 32 bytes, as 64 hexadecimal digits or as Base64.`)
  return key
}
