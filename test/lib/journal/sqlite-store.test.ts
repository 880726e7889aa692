/** The SQLite journal: the contract of journals, crashes, several processes. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { createJournal, type Journal } from '../../../lib/journal/journal.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { createPrivateFile } from '../../../lib/journal/private-file.ts'
import { SqliteStore } from '../../../lib/journal/sqlite-store.ts'
import { ran } from '../../support/processes.ts'
import { keepsTheJournalContract } from './journal-contract.ts'

describe('a journal in a SQLite file', () => {
  let folder: string
  let file: string
  const opened: Journal[] = []

  const open = async (namespace: string) => {
    const journal = await openJournal(file, namespace)
    opened.push(journal)
    return journal
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'journal-'))
    file = join(folder, 'deeper', 'journal.sqlite')
  })
  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close()
    rmSync(folder, { recursive: true })
  })

  keepsTheJournalContract(open)

  it('knows after a restart what was written before', async () => {
    const first = await open('a')
    await first.set('key', 'kept')
    await first.close()
    expect(await (await open('a')).get('key')).to.equal('kept')
  })

  it('knows what a process wrote that was killed right after', async () => {
    const write = `
      const { openJournal } = await import('./lib/journal/open.ts')
      const journal = await openJournal(${JSON.stringify(file)}, 'a')
      await journal.set('intent', 'written')
      process.kill(process.pid, 'SIGKILL')`
    const { code, stderr } = await ran(['--input-type=module', '-e', write])
    expect(code, stderr).to.equal(null)
    expect(await (await open('a')).get('intent')).to.equal('written')
  })

  it('syncs once for what is written at once', async () => {
    const journal = await open('a')
    await journal.set('key 0', 'x')
    const pages = () => statSync(`${file}-wal`).size / 4096
    const before = pages()
    await Promise.all(Array.from({ length: 100 }, (_, at) => journal.set(`key ${at}`, 'x')))
    // Every transaction adds the pages that it changed to the log.
    expect(pages() - before).to.be.below(20)
  })

  it('keeps what was asked for right before it was closed', async () => {
    const first = await open('a')
    const written = first.set('key', 'kept')
    await first.close()
    await written
    expect(await (await open('a')).get('key')).to.equal('kept')
  })

  it('changes no file that a link next to it leads to', () => {
    const other = join(folder, 'other')
    writeFileSync(other, '', { mode: 0o644 })
    mkdirSync(dirname(file))
    symlinkSync(other, `${file}-wal`)
    createPrivateFile(file)
    expect(statSync(other).mode & 0o777).to.equal(0o644)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('is for its owner alone behind a link, too', () => {
    mkdirSync(dirname(file))
    symlinkSync(join(folder, 'on another disk'), file)
    createPrivateFile(file)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    chmodSync(file, 0o644)
    createPrivateFile(file)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('can be read by nobody but its owner', async () => {
    await open('a')
    expect(statSync(file).mode & 0o077).to.equal(0)
  })

  it('is closed to others where somebody opened it to them', async () => {
    const first = await open('a')
    await first.set('key', 'kept')
    for (const path of [file, `${file}-wal`, `${file}-shm`]) chmodSync(path, 0o644)
    await (await open('b')).get('key')
    for (const path of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(path).mode & 0o777, path).to.equal(0o600)
  })

  it('lets exactly one of several processes have each key, and loses no count', async () => {
    await open('race')
    const run = () => ran(['test/lib/journal/compete.ts', file, '150'])
    const won = (await Promise.all([run(), run(), run()])).map(({ stdout }) => Number(stdout))
    expect(won[0]! + won[1]! + won[2]!).to.equal(150)
    expect(await (await open('race')).get('sum')).to.equal(450)
  })

  it('gives a key again whose time is over', async () => {
    let now = 1000
    const store = new SqliteStore(':memory:', 'a', () => now)
    expect(await store.add('key', 'first', 10)).to.equal(true)
    expect(await store.add('key', 'second', 10)).to.equal(false)
    now = 1010
    expect(await store.get('key')).to.equal(undefined)
    expect(await store.add('key', 'third', 10)).to.equal(true)
    expect(await store.get('key')).to.equal('third')
    await store.close()
  })

  it('does not grow for ever: what is over is swept away', async () => {
    let now = 0
    const store = new SqliteStore(file, 'a', () => now)
    for (let at = 0; at < 999; at++) await store.set(`old ${at}`, 'x', 10)
    now = 20
    await store.set('new', 'x', 10)
    await store.close()
    const database = new DatabaseSync(file)
    expect(database.prepare('SELECT count(*) AS count FROM entries').get()).to.include({ count: 1 })
    database.close()
  })

  it('throws when it is closed, instead of knowing nothing', async () => {
    const journal = await open('a')
    await journal.close()
    await journal.close()
    for (const call of [() => journal.get('key'), () => journal.set('key', 1), () => journal.delete('key')])
      expect(await call().catch((failure: Error) => failure)).to.be.instanceOf(Error)
  })
})

describe('a journal in memory', () => {
  const shared = new Map<string, SqliteStore>()
  afterEach(() => shared.clear())
  keepsTheJournalContract(async (namespace) => {
    // Memory is shared by nobody, so that a second namespace is a second memory.
    const store = shared.get(namespace) ?? new SqliteStore(':memory:', namespace)
    shared.set(namespace, store)
    return createJournal(store)
  })

  it('leaves no file behind', async () => {
    const journal = await openJournal(':memory:', 'a')
    await journal.set('key', 1)
    expect(existsSync(':memory:')).to.equal(false)
    await journal.close()
  })
})
