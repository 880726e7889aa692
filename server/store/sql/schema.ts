/**
 * The tables, as Kysely sees them: in camelCase, where SQL has snake_case. Times are ISO 8601 text in UTC, flags are 0 or 1, so
 * that both databases hold the same.
 */
import type { DelegationTables } from './tables/delegation-tables.ts'
import type { DeliveryTables } from './tables/delivery-tables.ts'
import type { DirectoryTables } from './tables/directory-tables.ts'
import type { NoticeTables } from './tables/notice-tables.ts'
import type { ServiceTables } from './tables/service-tables.ts'
import type { SignInTables } from './tables/sign-in-tables.ts'
import type { TaskTables } from './tables/task-tables.ts'

export interface Schema
  extends DirectoryTables,
    TaskTables,
    DeliveryTables,
    NoticeTables,
    DelegationTables,
    ServiceTables,
    SignInTables {}
