/** Keys of the operator's interface. One of an organization stands for its administrator, one without for an operator. */
import type { StoreContext } from '../context.ts'
import type { Schema } from '../sql/schema.ts'
import { keyTable } from './key-table.ts'

export type StoredOperatorKey = Schema['operatorKey']

export const operatorKeys = (context: StoreContext) =>
  keyTable<StoredOperatorKey>(context, {
    table: 'operatorKey',
    issued: 'operator-key.issue',
    revoked: 'operator-key.revoke',
    order: ['createdAt'],
  })
