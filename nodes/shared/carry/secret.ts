/**
 * The secret that seals what nodes keep of messages: the `credentialSecret` of Node-RED's settings, which also encrypts keys; where
 * none is set, a file beside the journals, as Node-RED keeps a key of its own beside the flows.
 */

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Runtime } from '../runtime/node-red.ts'

/** @param folder where the nodes keep their files */
export function sealSecret({ credentialSecret }: Runtime['settings'], folder: string): Uint8Array | string {
  if (typeof credentialSecret === 'string' && credentialSecret !== '') return credentialSecret
  const file = join(folder, 'seal.key')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32), { flag: 'wx', mode: 0o600 })
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure
  }
  return readFileSync(file)
}
