/** The settings of the node order from files, read from its form. */
import { numberOr } from '../form/form-values.ts'
import { MEGABYTE } from '../intake/keep-settings.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Config } from '../runtime/node-red.ts'
import type { FolderIntakeOptions } from './folder-intake.ts'

type FolderSettings = Pick<
  FolderIntakeOptions,
  'folder' | 'isMade' | 'stableMs' | 'pairingMs' | 'pollMs' | 'repeatMs' | 'maxBytes'
>

/** Throws the NodeError INVALID_INPUT when the form names no folder. */
export function folderSettings({ folder, make, stable, pairing, poll, limit, repeat }: Config): FolderSettings {
  const given = String(folder ?? '').trim()
  if (given === '')
    throw new NodeError('NO_FOLDER', 'No folder is set. Enter in the form the one into which documents are dropped.')
  return {
    folder: given,
    isMade: make === true,
    stableMs: numberOr(stable, 5) * 1000,
    pairingMs: numberOr(pairing, 10) * 60_000,
    pollMs: Math.max(numberOr(poll, 5), 0.1) * 1000,
    repeatMs: numberOr(repeat, 10) * 60_000,
    maxBytes: numberOr(limit, 32) * MEGABYTE,
  }
}
