/**
 * The database itself keeps count of what waits, for each organization: any statement that writes a task or a delivery changes the
 * count in the same transaction. A count is the sum of its rows.
 */
import { type Kysely, sql } from 'kysely'
import type { Flavour } from '../flavour.ts'

export async function countWork(db: Kysely<never>, { locksRows }: Flavour): Promise<void> {
  const { table, changes } = locksRows ? postgres : sqlite
  const triggers = counted.flatMap((one) => momentsOf(one).map((moment) => changes(one, moment)))
  for (const statement of [...table, ...triggers]) await sql.raw(statement).execute(db)
}

/** Rows of a table for which the condition holds are counted under the name. */
interface Counted {
  name: string
  table: 'task' | 'delivery'
  column: string
  condition: string
}

const counted: readonly Counted[] = [
  { name: 'ingesting', table: 'task', column: 'ingest_at', condition: 'IS NOT NULL' },
  { name: 'inReview', table: 'task', column: 'sealed_review', condition: 'IS NOT NULL' },
  { name: 'pending', table: 'task', column: 'status', condition: "= 'Pending'" },
  { name: 'deliveriesWaiting', table: 'delivery', column: 'state', condition: "= 'waiting'" },
  { name: 'deliveriesFailed', table: 'delivery', column: 'state', condition: "= 'failed'" },
]

/** When a row is counted, or no longer is. */
interface Moment {
  name: 'made' | 'begun' | 'ended' | 'removed'
  on: string
  when: string
  /** Under which name the trigger knows the row. */
  row: 'OLD' | 'NEW'
  by: 1 | -1
}

function momentsOf({ column, condition }: Counted): readonly Moment[] {
  const [was, is] = [`OLD.${column} ${condition}`, `NEW.${column} ${condition}`]
  const update = `UPDATE OF ${column}`
  return [
    { name: 'made', on: 'INSERT', when: is, row: 'NEW', by: 1 },
    { name: 'begun', on: update, when: `NOT (${was}) AND ${is}`, row: 'NEW', by: 1 },
    { name: 'ended', on: update, when: `${was} AND NOT (${is})`, row: 'OLD', by: -1 },
    { name: 'removed', on: 'DELETE', when: was, row: 'OLD', by: -1 },
  ]
}

/** One transaction writes at a time, so a count is one row. */
const sqlite = {
  table: [
    `CREATE TABLE work_count (
      organization_id integer NOT NULL,
      name text NOT NULL,
      count integer NOT NULL,
      PRIMARY KEY (organization_id, name)
    )`,
  ],
  changes: ({ name, table }: Counted, { name: moment, on, when, row, by }: Moment): string =>
    `CREATE TRIGGER work_count_${name}_${moment} AFTER ${on} ON ${table} WHEN ${when} BEGIN
      INSERT INTO work_count (organization_id, name, count) VALUES (${row}.organization_id, '${name}', ${by})
        ON CONFLICT (organization_id, name) DO UPDATE SET count = count + excluded.count;
    END`,
}

/**
 * Each change adds a row, so that no transaction waits for another one's. Every two hundredth puts together the rows of each count
 * that has several, passing over those that another transaction is just putting together.
 */
const postgres = {
  table: [
    `CREATE TABLE work_count (
      id bigserial PRIMARY KEY,
      organization_id integer NOT NULL,
      name text NOT NULL,
      count bigint NOT NULL
    )`,
    `CREATE OR REPLACE FUNCTION count_work() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      added bigint;
    BEGIN
      INSERT INTO work_count (organization_id, name, count)
        VALUES (coalesce(NEW.organization_id, OLD.organization_id), TG_ARGV[0], TG_ARGV[1]::integer)
        RETURNING id INTO added;
      IF added % 200 = 0 THEN
        WITH several AS (
          SELECT organization_id, name FROM work_count GROUP BY organization_id, name HAVING count(*) > 1
        ), free AS (
          SELECT w.id FROM work_count w JOIN several USING (organization_id, name) FOR UPDATE OF w SKIP LOCKED
        ), taken AS (
          DELETE FROM work_count WHERE id IN (SELECT id FROM free) RETURNING organization_id, name, count
        )
        INSERT INTO work_count (organization_id, name, count)
          SELECT organization_id, name, sum(count) FROM taken GROUP BY organization_id, name HAVING sum(count) <> 0;
      END IF;
      RETURN NULL;
    END $$`,
  ],
  changes: ({ name, table }: Counted, { name: moment, on, when, by }: Moment): string =>
    `CREATE TRIGGER work_count_${name}_${moment} AFTER ${on} ON ${table} FOR EACH ROW WHEN (${when})
      EXECUTE FUNCTION count_work('${name}', '${by}')`,
}
