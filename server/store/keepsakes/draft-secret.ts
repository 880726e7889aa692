/** The secret of one person, with which their page seals drafts that it keeps in the browser. */
import { hkdfSync, randomBytes } from 'node:crypto'
import type { StoreContext } from '../context.ts'
import { keepsake } from './keepsakes.ts'

const BYTES = 32

/** Returns 32 bytes, the same each time and unlike those of anyone else. They outlive a change of the master key. */
export async function draftSecret(context: StoreContext, personId: number, at: Date): Promise<Buffer> {
  const root = await keepsake(context, 'drafts', at, async () => randomBytes(BYTES).toString('base64'))
  const purpose = `countersign drafts of person ${personId}`
  return Buffer.from(hkdfSync('sha256', Buffer.from(root, 'base64'), '', purpose, BYTES))
}
