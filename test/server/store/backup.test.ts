/** Backups of services that run under load, and what is restored of them. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Task, TaskStatus } from '../../../lib/contract/task/task.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { close } from '../../../server/store/backup/backup-file.ts'
import { ID_GAP } from '../../../server/store/backup/restore-backup.ts'
import { createCipher } from '../../../server/store/sealing/cipher.ts'
import { openStore } from '../../../server/store/store.ts'
import { version } from '../../../server/version.ts'
import { aFolder } from '../../support/a-folder.ts'
import { called } from '../../support/commands/called.ts'
import { type Acknowledged, nothingYet } from '../../support/load/acknowledged.ts'
import { oneTask } from '../../support/load/one-task.ts'
import { createSender, type Sender } from '../../support/load/sender.ts'
import { randomFrom } from '../../support/random.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { countersign, type Served, serve } from '../../support/service/served.ts'
import { countedIn, keptIn } from '../../support/store/counts/kept-counts.ts'
import { aPostgres, query, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const MASTER_KEY = Buffer.alloc(32, 7)
const env = { COUNTERSIGN_MASTER_KEY: MASTER_KEY.toString('base64') }
const TASKS = '/api/v1/signature/tasks'
const ENOUGH = 8

describe('A backup', function () {
  this.timeout(120_000)
  let postgres: TestPostgres | undefined
  before(async () => {
    postgres = await aPostgres()
  })
  after(() => postgres?.stop())

  const places = {
    'a data folder': async () => join(aFolder(), 'data'),
    PostgreSQL: () => postgres!.database(),
  }
  for (const [from, source] of Object.entries(places))
    describe(`of ${from}`, () => {
      let taken: Taken
      before(async () => {
        taken = await takenUnderLoad(await source())
      })

      it('is a file for its owner alone, without the master key, of which the store keeps that it was taken', async () => {
        const { data, file } = taken
        if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).to.equal(0o600)
        expect(readFileSync(file).includes(MASTER_KEY)).to.equal(false)
        expect(await upkeepIn(data)).to.deep.equal(['store.backup operator'])
      })

      for (const [to, target] of Object.entries(places))
        it(`restored in ${to}, has every task that was acknowledged before it began`, async () => {
          const { file, before, key } = taken
          const data = await target()
          const restored = await countersign(['restore', file, '--data', data, '--json'], env)
          expect([restored.stderr, restored.code]).to.deep.equal(['', 0])
          const { stdout: pem } = await countersign(['certificate', 'export', '--sandbox', '--data', data], env)
          const again = await serve(['--sandbox', '--data', data], env)
          const sender = createSender({ baseUrls: [again.baseUrl], key })
          try {
            await holds(sender, before, pem)
          } finally {
            sender.close()
            await again.stop()
          }
          // It throws where the log does not verify.
          expect(await upkeepIn(data)).to.deep.equal(['store.backup operator', 'store.restore operator'])
          expect(await keptIn(queryOf(data))).to.deep.equal(await countedIn(queryOf(data)))
          const second = await countersign(['restore', file, '--data', data], env)
          expect([second.code, / holds (something|tables) already\./.test(second.stderr)]).to.deep.equal([1, true])
        })
    })
})

interface Taken {
  /** The store, and the backup of it. */
  data: string
  file: string
  /** What was acknowledged before the backup began. */
  before: Acknowledged
  key: string
}

/** Takes a backup of a service while it works. */
async function takenUnderLoad(data: string): Promise<Taken> {
  const file = join(aFolder(), 'backup')
  const service = await serve(['--sandbox', '--seed', 'demo', '--data', data], env)
  const { key } = service.apiKeys[0]!
  const load = startLoad(service, key)
  try {
    await load.reaches(ENOUGH)
    const before = load.soFar()
    const { stdout, stderr } = await countersign(['backup', file, '--data', data, '--json'], env)
    expect(stderr).to.equal('')
    expect(JSON.parse(stdout)).to.include({ file }).and.to.have.property('tasks').at.least(before.created.size)
    const atBackup = load.soFar().created.size
    await load.reaches(atBackup + 1)
    return { data, file, before, key }
  } finally {
    await load.end()
    await service.stop()
  }
}

const queryOf = (data: string) => async (sql: string) => {
  if (data.startsWith('postgres:')) return query(data, sql)
  const opened = new DatabaseSync(join(data, 'countersign.sqlite'), { readOnly: true })
  try {
    return opened.prepare(sql).all()
  } finally {
    opened.close()
  }
}

/** What the audit log of a store says of its backups, in order. Throws where the log does not verify. */
async function upkeepIn(data: string): Promise<string[]> {
  const { audit, close } = await openStore({ data, kind: 'sandbox' }, MASTER_KEY)
  try {
    expect((await audit.verify()).fault).to.equal(null)
    const found: string[] = []
    for await (const { action, actor } of audit.rows())
      if (action.startsWith('store.')) found.push(`${action} ${actor}`)
    return found
  } finally {
    await close()
  }
}

describe('Restoring', function () {
  this.timeout(60_000)
  let file: string
  before(async () => {
    const data = join(aFolder(), 'data')
    file = join(aFolder(), 'backup')
    const type = ['document-types', 'create', '--name', 'Order', '--category', 'Order', '--data', data]
    expect((await called(type, env)).code).to.equal(0)
    expect((await countersign(['backup', file, '--data', data], env)).code).to.equal(0)
  })

  /** What restoring says of the bytes; nothing of them may be left behind. */
  async function refusal(bytes: Buffer, environment: Record<string, string> = env): Promise<string> {
    const [changed, target] = [join(aFolder(), 'changed'), join(aFolder(), 'data')]
    writeFileSync(changed, bytes)
    const { code, stderr } = await called(['restore', changed, '--data', target], environment)
    expect(code).to.equal(1)
    expect(existsSync(target) ? readdirSync(target) : []).to.deep.equal([])
    return stderr.replace(changed, 'FILE')
  }

  it('refuses a backup that was cut off, wherever', async () => {
    const whole = readFileSync(file)
    const cut = [0, 50, 4096, whole.length - 1]
    const refusals = await Promise.all(cut.map((length) => refusal(whole.subarray(0, length))))
    for (const [n, length] of cut.entries()) expect(refusals[n], String(length)).to.equal(NO_BACKUP)
  })

  it('refuses a backup of which a bit changed', async () => {
    const changed = readFileSync(file)
    changed[changed.length >> 1]! ^= 1
    expect(await refusal(changed)).to.equal(CHANGED)
  })

  it('refuses a backup that was extended, or whose last line was changed', async () => {
    const whole = readFileSync(file)
    const end = whole.length - LINE_BYTES
    const extended = [
      Buffer.concat([Buffer.alloc(4096), whole]),
      Buffer.concat([whole.subarray(0, end), Buffer.alloc(1), whole.subarray(end)]),
      Buffer.concat([whole.subarray(0, end - 1), whole.subarray(end)]),
      Buffer.concat([whole.subarray(0, end), whole.subarray(end), whole.subarray(end)]),
      Buffer.concat([whole, Buffer.from('\n')]),
      Buffer.concat([whole, whole]),
      Buffer.concat([whole.subarray(0, end), whole]),
      Buffer.concat([whole.subarray(end), whole.subarray(0, end)]),
      Buffer.concat([whole.subarray(end), whole]),
      Buffer.concat([whole.subarray(4096, end), whole.subarray(0, 4096), whole.subarray(end)]),
      Buffer.concat([whole.subarray(0, end), Buffer.from(whole.subarray(end).toString().toUpperCase())]),
      Buffer.concat([
        whole.subarray(0, end),
        Buffer.from(whole.subarray(end).toString().replace('backup 2', 'backup 1')),
      ]),
    ]
    const changed = Array.from({ length: Math.ceil(LINE_BYTES / 9) }, (_, n) => {
      const copy = Buffer.from(whole)
      copy[end + 9 * n]! ^= 1
      return copy
    })
    for (const bytes of [...extended, ...changed]) expect(await refusal(bytes)).to.match(/^countersign: FILE (is|was) /)
  })

  it('refuses the content of one backup with the last line of another', async () => {
    const [data, other] = [join(aFolder(), 'data'), join(aFolder(), 'other')]
    const type = ['document-types', 'create', '--name', 'Note', '--category', 'Note', '--data', data]
    expect((await called(type, env)).code).to.equal(0)
    expect((await countersign(['backup', other, '--data', data], env)).code).to.equal(0)
    const [content, line] = [readFileSync(file).subarray(0, -LINE_BYTES), readFileSync(other).subarray(-LINE_BYTES)]
    expect(await refusal(Buffer.concat([content, line]))).to.equal(CHANGED)
  })

  it('refuses an operator that was added without the master key, before the file is opened as a database', async () => {
    const changed = join(aFolder(), 'changed')
    const line = readFileSync(file).subarray(-LINE_BYTES)
    writeFileSync(changed, readFileSync(file).subarray(0, -LINE_BYTES))
    const database = new DatabaseSync(changed)
    database.exec(
      "INSERT INTO person (email, name, role, created_at, mac) VALUES ('m@example.com', 'M', 'operator', '', '')",
    )
    // An attacker who knows the format and not the key can make any line but the right one.
    database.exec('CREATE TRIGGER crafted AFTER INSERT ON audit BEGIN DELETE FROM audit; END')
    database.close()
    const bytes = readFileSync(changed)
    const digest = createHash('sha256').update(bytes).digest('hex')
    const keyId = /key ([0-9a-f]{16})/.exec(line.toString('latin1'))![1]!
    const begin = `\ncountersign backup 2, key ${keyId}, ${String(bytes.length).padStart(16, '0')} bytes, hmac-sha256 `
    for (const end of [line, Buffer.from(`${begin}${digest}\n`)])
      expect(await refusal(Buffer.concat([bytes, end]))).to.equal(CHANGED)
    const earlier = Buffer.from(`\ncountersign backup 1, sha256 ${digest}\n`)
    expect(await refusal(Buffer.concat([bytes, earlier]))).to.equal(NO_BACKUP)
    // Bytes that are no database at all are refused with the same sentence: nothing reads them.
    expect(await refusal(Buffer.concat([Buffer.alloc(8192, 1), line]))).to.equal(CHANGED)
  })

  it('refuses one in which a row of any table was removed, or one was added or changed, whatever line is at its end', async () => {
    const [content, line] = [readFileSync(file).subarray(0, -LINE_BYTES), readFileSync(file).subarray(-LINE_BYTES)]
    const changedBy = (work: (database: DatabaseSync) => void): Buffer => {
      const changed = join(aFolder(), 'changed')
      writeFileSync(changed, content)
      const database = new DatabaseSync(changed)
      work(database)
      database.close()
      return readFileSync(changed)
    }
    const filled: string[] = []
    changedBy((database) => {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]
      for (const { name } of tables) if (database.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get()) filled.push(name)
    })
    expect(filled).to.include.members(['audit', 'document_type', 'kysely_migration'])
    const statements = [
      ...filled.map((name) => `PRAGMA foreign_keys = OFF; DELETE FROM "${name}"`),
      "UPDATE document_type SET name = 'Another'",
      "INSERT INTO person (email, name, role, created_at, mac) VALUES ('m@example.com', 'M', 'operator', '', '')",
      'CREATE TABLE another (id INTEGER)',
      'VACUUM; PRAGMA user_version = 7',
    ]
    const foreign = createCipher(Buffer.alloc(32, 8)).backupKeys[0]
    for (const statement of statements) {
      const bytes = changedBy((database) => database.exec(statement))
      expect(bytes.equals(content), statement).to.equal(false)
      expect(await refusal(Buffer.concat([bytes, line])), statement).to.equal(CHANGED)
      // The name of the genuine key, and what another key makes of the bytes.
      const keyId = /key ([0-9a-f]{16})/.exec(line.toString('latin1'))![1]!
      const claim = `\ncountersign backup 2, key ${keyId}, ${String(bytes.length).padStart(16, '0')} bytes, hmac-sha256 `
      const mac = foreign.hmac().update(bytes).update(claim).digest('hex')
      expect(await refusal(Buffer.concat([bytes, Buffer.from(`${claim}${mac}\n`)])), statement).to.equal(CHANGED)
      expect(await refusal(bytes), statement).to.equal(NO_BACKUP)
    }
  })

  it('takes a backup that was made under an older master key while that one is given, and no longer', async () => {
    const newKey = Buffer.alloc(32, 8).toString('base64')
    const rotated = { COUNTERSIGN_MASTER_KEY: newKey, COUNTERSIGN_OLD_MASTER_KEYS: env.COUNTERSIGN_MASTER_KEY }
    const restored = await called(['restore', file, '--data', join(aFolder(), 'data')], rotated)
    expect([restored.stderr, restored.code]).to.deep.equal(['', 0])
    expect(await refusal(readFileSync(file), { COUNTERSIGN_MASTER_KEY: newKey })).to.equal(FOREIGN)
  })

  it('refuses a database that was damaged before it became a backup', async () => {
    const whole = readFileSync(file)
    const damaged = whole.subarray(0, whole.length - LINE_BYTES)
    damaged.fill(0xff, 4096, 12_288)
    expect(await refusal(await asBackup(damaged))).to.equal(
      'countersign: The database in the backup is damaged. Restore another one.\n',
    )
  })

  it('refuses what a newer version wrote', async () => {
    const newer = join(aFolder(), 'newer')
    writeFileSync(newer, readFileSync(file).subarray(0, -LINE_BYTES))
    const database = new DatabaseSync(newer)
    database.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')")
    database.close()
    expect(await refusal(await asBackup(readFileSync(newer)))).to.equal(
      `countersign: What is stored was written by a later build of Countersign, and this one (${version}) does not know its tables: use that one, or a later one.\n`,
    )
  })

  it('refuses another master key, and none', async () => {
    const other = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') }
    expect(await refusal(readFileSync(file), other)).to.equal(FOREIGN)
    const { code, stderr } = await called(['restore', file, '--data', join(aFolder(), 'data')])
    expect([code, stderr]).to.deep.equal([
      2,
      'countersign: Set COUNTERSIGN_MASTER_KEY to the master key that the service had at the time of the backup.\n',
    ])
  })

  it('refuses a target that holds anything', async () => {
    const target = aFolder()
    writeFileSync(join(target, 'notes'), '')
    const { code, stderr } = await called(['restore', file, '--data', target], env)
    expect([code, stderr.replace(target, 'DIR')]).to.deep.equal([
      1,
      'countersign: DIR holds something already. Give --data a folder that is empty or does not exist yet.\n',
    ])
    expect(readdirSync(target)).to.deep.equal(['notes'])
  })

  it('leaves out ids, which senders may hold', async () => {
    const target = join(aFolder(), 'data')
    expect((await countersign(['restore', file, '--data', target], env)).code).to.equal(0)
    const database = new DatabaseSync(join(target, 'countersign.sqlite'))
    const last = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'task'").get()!.seq
    database.close()
    expect(last).to.equal(1000 + ID_GAP)
  })

  it('replaces no file with a backup', async () => {
    const { code, stderr } = await called(['backup', file, '--data', join(aFolder(), 'data')], env)
    expect([code, stderr.includes('there is no store')]).to.deep.equal([2, true])
    const data = join(aFolder(), 'data')
    expect((await called(['restore', file, '--data', data], env)).code).to.equal(0)
    const again = await countersign(['backup', file, '--data', data], env)
    expect([again.code, again.stderr.replace(file, 'FILE')]).to.deep.equal([
      1,
      'countersign: FILE exists already. Give the backup another name.\n',
    ])
  })

  it('leaves one of two backups that are written to one name at once, and follows no link', async () => {
    const data = join(aFolder(), 'data')
    expect((await called(['restore', file, '--data', data], env)).code).to.equal(0)
    const [name, elsewhere] = ['at once', 'elsewhere'].map((one) => join(aFolder(), one)) as [string, string]
    const both = await Promise.all([1, 2].map(() => countersign(['backup', name, '--data', data], env)))
    expect(both.map(({ code }) => code).toSorted()).to.deep.equal([0, 1])
    expect(readdirSync(dirname(name))).to.deep.equal(['at once'])
    const link = join(aFolder(), 'link')
    symlinkSync(elsewhere, link)
    await countersign(['backup', link, '--data', data], env)
    expect(existsSync(elsewhere)).to.equal(false)
  })
})

/** The length of the last line of a backup. */
const LINE_BYTES = 146
const NO_BACKUP = 'countersign: FILE is not a backup of Countersign, or its end is missing. Restore another one.\n'
const CHANGED =
  'countersign: FILE was changed or damaged since it was made: its content does not match the line at its end. Restore another one.\n'
const FOREIGN =
  'countersign: FILE was made under another master key. Give the key that the service had at the time of the backup.\n'

/** A database that a holder of the master key made a backup. */
async function asBackup(database: Buffer): Promise<Buffer> {
  const file = join(aFolder(), 'made')
  writeFileSync(file, database)
  await close(file, createCipher(MASTER_KEY))
  return readFileSync(file)
}

/** Between two tasks of a loop: work goes on all the time, and what is backed up stays a few tasks. */
const REST_MS = 200

/** Creates, signs, retracts and reads until it is ended. */
function startLoad({ baseUrl }: Served, key: string) {
  const sender = createSender({ baseUrls: [baseUrl], key })
  const acknowledged = nothingYet()
  let isOver = false
  const loops = [1, 2].map(async (seed) => {
    const random = randomFrom(seed)
    while (!isOver) {
      await oneTask({ sender, acknowledged, random, patienceMs: 20_000 })
      await pause(REST_MS)
    }
  })
  const all = Promise.all(loops)
  all.catch(() => {})
  return {
    soFar: (): Acknowledged => ({ ...structuredClone(acknowledged) }),
    async reaches(tasks: number) {
      while (acknowledged.created.size < tasks || !hasSigned(acknowledged)) await Promise.race([pause(50), all])
    },
    async end() {
      isOver = true
      await all
      sender.close()
    },
  }
}

const hasSigned = ({ outcomes }: Acknowledged) => [...outcomes.values()].includes('Completed')

/** Each task is there, in the status that was acknowledged; what was signed verifies, and what waits can be signed. */
async function holds(sender: Sender, { created, outcomes }: Acknowledged, pem: string): Promise<void> {
  const read = async (taskId: number, query = '') =>
    (await sender.ask({ name: 'read', method: 'GET', path: `${TASKS}/${taskId}${query}`, expected: 200 })) as Task
  const signed = async (taskId: number) => {
    const { output } = await read(taskId, '?includeOutputAttachment=true')
    expect(verifySealed(Buffer.from(output!.attachment!, 'base64'), pem).outcome, `task ${taskId}`).to.equal('valid')
  }
  let waiting: number | undefined
  for (const taskId of created) {
    const { status } = await read(taskId)
    const outcome: TaskStatus | undefined = outcomes.get(taskId)
    if (outcome) expect(status, `task ${taskId}`).to.equal(outcome)
    if (outcome === 'Completed') await signed(taskId)
    if (status === 'Pending') waiting = taskId
  }
  if (waiting === undefined) return
  const path = `/sandbox/v1/tasks/${waiting}/sign`
  await sender.ask({ name: 'sign', method: 'POST', path, body: {}, expected: 204 })
  await signed(waiting)
  const create = { name: 'create', method: 'POST', path: TASKS, body: aCreateBody(), expected: 201 }
  const { taskId } = (await sender.ask(create)) as Pick<Task, 'taskId'>
  expect(taskId).to.be.above(1000 + ID_GAP)
}
