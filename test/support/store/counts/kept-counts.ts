/** How much waits, as the database keeps it and as it is counted: a line for each organization and each count that is not 0. */

type Query = (sql: string) => Promise<Record<string, unknown>[]>

const COUNTED = {
  ingesting: 'task WHERE ingest_at IS NOT NULL',
  inReview: 'task WHERE sealed_review IS NOT NULL',
  pending: "task WHERE status = 'Pending'",
  deliveriesWaiting: "delivery WHERE state = 'waiting'",
  deliveriesFailed: "delivery WHERE state = 'failed'",
}

export async function keptIn(query: Query): Promise<string[]> {
  const rows = await query(
    'SELECT organization_id, name, sum(count) AS n FROM work_count GROUP BY organization_id, name',
  )
  return lines(rows.filter(({ n }) => Number(n) !== 0))
}

export async function countedIn(query: Query): Promise<string[]> {
  const selects = Object.entries(COUNTED).map(
    ([name, rows]) => `SELECT organization_id, '${name}' AS name, count(*) AS n FROM ${rows} GROUP BY organization_id`,
  )
  return lines(await query(selects.join(' UNION ALL ')))
}

const lines = (rows: readonly Record<string, unknown>[]): string[] =>
  rows.map(({ organization_id, name, n }) => `${organization_id} ${name} ${n}`).sort()
