/** An organization's treatment of active content in the documents that it sends, as columns of its row. */
import type { Selectable, Updateable } from 'kysely'
import type { DocumentRule } from '../../../lib/pdf/plain/document-rules.ts'
import type { ActiveContent, ActiveContentPolicy, Treatment } from '../../../lib/pdf/prepare/active-content.ts'
import type { StoreContext } from '../context.ts'
import { genuine } from '../rows/row-macs.ts'
import type { Schema } from '../sql/schema.ts'

export const policyColumns = ['javascript', 'openAction', 'embeddedFiles'] as const

type PolicyRow = Pick<Selectable<Schema['organization']>, (typeof policyColumns)[number]>

/** An omitted member keeps its value, or is stripped where the organization is new. */
export type ActiveContentChange = Readonly<Partial<Record<ActiveContent, Treatment | undefined>>>

/** Settings of an existing organization for the documents that it sends. */
export interface DocumentSettings {
  activeContent: ActiveContentPolicy
  documents: DocumentRule
}

export async function documentSettingsOf(context: StoreContext, organizationId: number): Promise<DocumentSettings> {
  const mine = context.db.selectFrom('organization').selectAll().where('id', '=', organizationId)
  const row = genuine(context, 'organization', await mine.executeTakeFirstOrThrow())
  if (!row) throw new Error(`organization ${organizationId} was changed in the database without the master key.`)
  return { activeContent: policyOf(row), documents: row.documents }
}

export const policyOf = (row: PolicyRow): ActiveContentPolicy => ({
  javaScript: row.javascript,
  openAction: row.openAction,
  embeddedFiles: row.embeddedFiles,
})

/** The columns to write. */
export const policyChange = (change: ActiveContentChange = {}): Updateable<PolicyRow> => ({
  ...(change.javaScript && { javascript: change.javaScript }),
  ...(change.openAction && { openAction: change.openAction }),
  ...(change.embeddedFiles && { embeddedFiles: change.embeddedFiles }),
})
