/** API keys of senders. */
import type { StoreContext } from '../context.ts'
import type { Schema } from '../sql/schema.ts'
import { keyTable } from './key-table.ts'

export type StoredKey = Schema['apiKey']

export const keys = (context: StoreContext) =>
  keyTable<StoredKey>(context, {
    table: 'apiKey',
    issued: 'key.issue',
    revoked: 'key.revoke',
    order: ['organizationId', 'createdAt'],
  })
