/** What a SQLite that is locked, full or on a failing disk does to a call, and that the service goes on afterwards. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import { StoreAway } from '../../../../server/domain/store-refusals.ts'
import { inTransaction, type StoreContext } from '../../../../server/store/context.ts'
import { createCipher } from '../../../../server/store/sealing/cipher.ts'
import { openDatabase } from '../../../../server/store/sql/database.ts'
import type { Database } from '../../../../server/store/sql/flavour.ts'
import { type Outage, realPatience } from '../../../../server/store/sql/patience.ts'
import { aFolder } from '../../../support/a-folder.ts'
import { aCreateBody } from '../../../support/service/a-create-body.ts'
import { type Served, serve } from '../../../support/service/served.ts'
import { limitWrites } from '../../../support/store/limit-writes.ts'

describe('A SQLite that fails for a while', function () {
  this.timeout(60_000)

  describe('under a transaction', () => {
    let folder: string
    let database: Database
    let context: StoreContext
    let outages: Outage[]
    beforeEach(async () => {
      folder = aFolder()
      const patience = realPatience()
      outages = []
      patience.onOutage((outage) => outages.push(outage))
      database = await openDatabase({ data: folder, connections: 1, patience }, createCipher(Buffer.alloc(32)))
      // Nothing of these transactions is audited or sealed.
      context = { ...database, patiently: patience.patiently, announce: () => {} } as unknown as StoreContext
    })
    afterEach(() => database.close())

    const write = (name: string) =>
      inTransaction(context, ({ db }) => sql`INSERT INTO probe (name) VALUES (${name})`.execute(db)).then(
        () => 'written',
        (failure: unknown) => failure,
      )
    const rows = async () => (await sql<{ name: string }>`SELECT name FROM probe`.execute(database.db)).rows.length

    it('is waited for and then refused while another process keeps it locked; nobody waits after that', async () => {
      const other = new DatabaseSync(join(folder, 'countersign.sqlite'))
      other.exec('BEGIN IMMEDIATE')
      const failures = await Promise.all([write('one'), write('two')])
      for (const failure of failures) expect(failure).to.be.instanceOf(StoreAway)
      expect(await write('three')).to.be.instanceOf(StoreAway)
      expect(outages).to.deep.equal([{ is: 'away', reason: 'SQLITE_BUSY' }])

      other.exec('ROLLBACK')
      other.close()
      await pause(1_000)
      expect(await write('four')).to.equal('written')
      expect(await rows()).to.equal(1)
      expect(outages.map(({ is }) => is)).to.deep.equal(['away', 'back'])
    })

    it('is refused while it is full, and written when there is room again', async () => {
      const limit = (pages: number) => sql.raw(`PRAGMA max_page_count = ${pages}`).execute(database.db)
      const { rows: counted } = await sql<{ pageCount: number }>`PRAGMA page_count`.execute(database.db)
      await limit(counted[0]!.pageCount)
      expect(await write('x'.repeat(100_000))).to.be.instanceOf(StoreAway)
      expect(outages).to.deep.equal([{ is: 'away', reason: 'SQLITE_FULL' }])
      expect(await rows(), 'reading goes on').to.equal(0)
      await pause(1_100)
      await rows()
      expect(outages, 'reading shows nothing').to.have.length(1)

      await limit(1_000_000)
      expect(await write('x'.repeat(100_000))).to.equal('written')
      expect(await rows()).to.equal(1)
      expect(outages.map(({ is }) => is)).to.deep.equal(['away', 'back'])
    })
  })

  // On Linux a process can be kept from writing files, as by a disk that fails.
  if (process.platform === 'linux')
    describe('under a service', () => {
      let served: Served | undefined
      after(() => served?.kill())

      const mayWrite = (bytes: string) => limitWrites(served!.pid!, bytes)
      const create = async () => {
        const answer = await fetch(`${served!.baseUrl}/api/v1/signature/tasks`, {
          method: 'POST',
          headers: { 'x-api-key': served!.apiKeys[0]!.key, 'content-type': 'application/json' },
          body: JSON.stringify(aCreateBody()),
        })
        return [answer.status, answer.headers.get('retry-after')]
      }

      const health = async () => {
        const { status, headers } = await fetch(`${served!.baseUrl}/health-check`)
        return [status, headers.get('retry-after')]
      }
      const ready = async () => (await fetch(`${served!.baseUrl}/ready`)).status

      it('is answered 503 with Retry-After, with the reason in the log, and the service goes on afterwards', async () => {
        served = await serve(['--data', aFolder(), '--sandbox', '--seed', 'demo'])
        expect(await create()).to.deep.equal([201, null])
        mayWrite('4096')
        expect(await create()).to.deep.equal([503, '2'])
        expect(await create()).to.deep.equal([503, '2'])
        await pause(1_500)
        expect([await health(), await ready()], 'although it can be read').to.deep.equal([[503, '2'], 503])
        mayWrite('unlimited')
        expect([await health(), await ready()]).to.deep.equal([[200, null], 200])
        await pause(1_500)
        expect(await create()).to.deep.equal([201, null])
        const told = served
          .log()
          .split('\n')
          .filter((line) => line.includes('the store is away'))
        expect(told).to.have.length(1)
        expect(told[0]).to.match(/"reason":"SQLITE_(IOERR|FULL)"/)
        expect(await served.stop()).to.equal(0)
      })
    })
})
