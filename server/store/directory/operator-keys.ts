/** Keys of the operator's interface. One of an organization represents its administrator, one without for an operator. */
import type { Selectable } from 'kysely'
import type { StoreContext } from '../context.ts'
import type { Schema } from '../sql/schema.ts'
import { keyTable } from './key-table.ts'

export type StoredOperatorKey = Selectable<Schema['operatorKey']>

export const operatorKeys = (context: StoreContext) =>
  keyTable<StoredOperatorKey>(context, {
    table: 'operatorKey',
    issued: 'operator-key.issue',
    revoked: 'operator-key.revoke',
    order: ['createdAt'],
  })
