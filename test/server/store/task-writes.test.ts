/** Who writes the table of tasks: among the statements that run, and among those that stand in the sources. */
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { OPERATOR } from '../../../server/domain/audit.ts'
import { SEALED } from '../../../server/store/rewrap.ts'
import type { Asked } from '../../../server/store/sql/sqlite/thread.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import {
  claim,
  hold,
  present,
  record,
  resolvePatient,
  review,
  sign,
  trigger,
} from '../../support/service/task-steps.ts'
import { statementsOf } from '../../support/store/statements.ts'
import { AT, facts, LEASE, newTask, organization, PDF, signer } from './stores-in.ts'

const SETS_STATUS = /^update "task"(?: as "\w+")? set .*"status" = /
const MAKES_TASK = /^insert into "task"/

const ROOT = join(import.meta.dirname, '../../../server')
const IN_STORE = new RegExp(`${ROOT}/store/([^:]+):`, 'g')
/** What has no file of its own: the driver writes it. */
const DRIVERS_OWN = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']

/** The innermost file of the store that asked for each statement while `work` ran. */
async function writersOf(work: () => Promise<void>): Promise<{ sql: string; from: string | undefined }[]> {
  const { postMessage } = Worker.prototype
  const sent = new Set<string>(DRIVERS_OWN)
  // SQLite works in a thread of its own, and is sent its statements.
  Worker.prototype.postMessage = function (message: Asked, transferList) {
    for (const { sql } of message === 'close' ? [] : message) sent.add(sql)
    return postMessage.call(this, message, transferList as ArrayBuffer[])
  }
  try {
    const statements = await statementsOf(work)
    expect(new Set([...DRIVERS_OWN, ...statements.map(({ sql }) => sql)]), 'all that SQLite is sent').to.deep.equal(
      sent,
    )
    return statements.map(({ sql, stack }) => ({ sql, from: innermost(stack) }))
  } finally {
    Worker.prototype.postMessage = postMessage
  }
}

const innermost = (stack: string) =>
  [...stack.matchAll(IN_STORE)].map(([, file]) => file).find((file) => file !== 'sql/later.ts')

/** Everything that can become of tasks. */
async function everything(store: Store): Promise<void> {
  const [sender, practice] = [await organization(store), await signer(store)]
  const handle = store.forOrganization(sender)
  const waiting = async () => {
    const { id } = await handle.tasks.create(newTask(), AT)
    const [claimed] = await claim(store, AT, LEASE, 1)
    const match = await resolvePatient(store, claimed!, AT)
    if (match.outcome !== 'known') throw new Error(match.outcome)
    await present(
      store,
      claimed!,
      { patientId: match.patientId, routedTo: practice, routedBy: 'primary' as const, fields: [] },
      facts(),
    )
    return id
  }
  const signed = await waiting()
  await sign(store, signed, { pdf: PDF, sha256: '00' }, facts())
  await record(handle, signed, 'S-1', AT)
  for (const end of ['reject', 'retract', 'cancel'] as const) await trigger(store, await waiting(), end, facts())
  await trigger(store, (await handle.tasks.create(newTask(), AT)).id, 'fail', facts())
  const { id } = await handle.tasks.create(newTask(), AT)
  await claim(store, AT, LEASE, 1)
  await hold(store, id, { outcome: 'review', reason: 'Nobody knows', candidateIds: [1] }, AT)
  await review(store, id, { same: 1 }, AT)
  await store.rewrapAll(OPERATOR, AT)
  await store.reset(sender, OPERATOR, AT)
}

interface Source {
  file: string
  text: string
}

/** Each statement on the table of tasks that inserts a row, sets the status or is written as text, by its file. */
function writesIn(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file, text }) => {
    const updates = text.split(/updateTable\(\s*'task(?: as \w+)?'\s*\)/).slice(1)
    return [
      ...[...text.matchAll(/insertInto\(\s*'task'\s*\)/g)].map(() => `${file} inserts`),
      ...updates
        .filter((rest) => /\bstatus\b/.test(rest.slice(0, rest.indexOf('.where('))))
        .map(() => `${file} sets the status`),
      ...[...text.matchAll(/\b(?:update|insert\s+into|merge\s+into)\s+["'`]?task\b(?!\w)/gi)].map(
        () => `${file} writes SQL`,
      ),
    ]
  })
}

describe('The table of tasks', () => {
  it('has its status set by changes.ts and its rows made by new-task.ts alone', async () => {
    const store = await openStore(':memory:', randomBytes(32))
    const statements = await writersOf(() => everything(store))
    await store.close()
    const writers = (pattern: RegExp) => statements.filter(({ sql }) => pattern.test(sql)).map(({ from }) => from)
    expect(new Set(writers(SETS_STATUS))).to.deep.equal(new Set(['tasks/changes.ts']))
    expect(new Set(writers(MAKES_TASK))).to.deep.equal(new Set(['tasks/new-task.ts']))
  })

  it('is written so nowhere else in the sources', () => {
    const files = globSync('**/*.ts', { cwd: ROOT, exclude: ['store/sql/migrations/**', 'web/**'] })
    const sources = files.map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
    expect(writesIn(sources).sort()).to.deep.equal([
      'store/tasks/changes.ts sets the status',
      'store/tasks/new-task.ts inserts',
    ])
    const columns = SEALED.filter(({ table }) => table === 'task').map(({ column }) => column)
    expect(columns.every((column) => column.startsWith('sealed'))).to.equal(true)
  })

  it('would be seen to be written elsewhere', () => {
    const sources = [
      "db.updateTable('task').set({ isFiled: 1 }).where('status', '=', 'Pending')",
      "db.updateTable('task').set({ status }).where('id', '=', 1)",
      "db.insertInto('task').values({})",
      "sql`UPDATE task SET status = 'Failed'`",
    ].map((text, index) => ({ file: `${index}.ts`, text }))
    expect(writesIn(sources)).to.deep.equal(['1.ts sets the status', '2.ts inserts', '3.ts writes SQL'])
  })
})
