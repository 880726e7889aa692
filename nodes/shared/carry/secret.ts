/**
 * The secret that encrypts what nodes keep of messages: the `credentialSecret` of Node-RED's settings, which also encrypts keys; where
 * none is set, a file in the folder of the journals, as Node-RED keeps a key of its own in the folder of the flows.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Runtime } from '../runtime/node-red.ts'

/**
 * Returns the secret, and behind it the one that was used until `credentialSecret` was set: Node-RED encrypts its own keys anew then,
 * and what waits here has to stay readable.
 * @param folder where the nodes keep their files
 */
export function sealSecret({ credentialSecret }: Runtime['settings'], folder: string): (Uint8Array | string)[] {
  const file = join(folder, 'seal.key')
  if (typeof credentialSecret === 'string' && credentialSecret !== '')
    return existsSync(file) ? [credentialSecret, readFileSync(file)] : [credentialSecret]
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32), { flag: 'wx', mode: 0o600 })
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure
  }
  return [readFileSync(file)]
}
