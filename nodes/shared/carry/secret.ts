/**
 * The secret that encrypts what nodes keep of messages: the `credentialSecret` of Node-RED's settings, which also encrypts keys; where
 * none is set, a file in the folder of the journals, as Node-RED keeps a key of its own in the folder of the flows.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeError } from '../runtime/failures.ts'
import type { Runtime } from '../runtime/node-red.ts'

/**
 * Returns the secret, and behind it the one that was used until `credentialSecret` was set: Node-RED encrypts its own keys again then,
 * and what waits here has to stay readable.
 * @param folder where the nodes keep their files
 */
export function sealSecret({ credentialSecret }: Runtime['settings'], folder: string): (Uint8Array | string)[] {
  const file = join(folder, 'seal.key')
  if (typeof credentialSecret === 'string' && credentialSecret !== '')
    return existsSync(file) ? [credentialSecret, readFileSync(file)] : [credentialSecret]
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 })
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') {
      // A full disk leaves an empty file, with which anyone could open what it encrypts.
      rmSync(file, { force: true })
      throw failure
    }
  }
  const key = readFileSync(file)
  if (key.length === KEY_BYTES) return [key]
  throw new NodeError(
    'NO_SEAL_KEY',
    'The file seal.key in the folder "countersign" of the user directory does not hold 32 bytes. Restore it from a copy; if nothing was ' +
      'kept with it, remove it and restart.',
  )
}

const KEY_BYTES = 32
