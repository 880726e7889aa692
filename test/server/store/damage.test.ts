/** A row that cannot be opened, as after damage on the disk, keeps nobody else from being served. Deliveries: workers/troubles. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { INGEST_LEASE_MS } from '../../../server/choices.ts'
import { claim } from '../../support/service/task-steps.ts'
import { aDispatch } from '../../support/store/a-dispatch.ts'

describe('a task that cannot be opened', () => {
  for (const column of ['sealed_request', 'sealed_notes'])
    it(`is told of, looked at again after its lease, and lets the others be ingested: ${column}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'countersign-damage-'))
      const dispatch = await aDispatch({ data: folder })
      const ids = [await dispatch.aTaskId(), await dispatch.aTaskId(), await dispatch.aTaskId()]
      const database = new DatabaseSync(join(folder, 'countersign.sqlite'))
      database.prepare(`UPDATE task SET ${column} = zeroblob(300) WHERE id = ?`).run(ids[0]!)
      database.close()

      const faults: unknown[] = []
      const claimed = (at: number) => {
        const until = new Date(at + INGEST_LEASE_MS)
        return claim(dispatch.store, new Date(at), until, 10, (fault) => faults.push(fault))
      }
      const now = dispatch.clock.now()
      expect((await claimed(now)).map(({ id }) => id)).to.deep.equal(ids.slice(1))
      expect(faults.map((fault) => (fault as NodeJS.ErrnoException).code)).to.deep.equal(['UNREADABLE_ROW'])
      expect(await claimed(now + INGEST_LEASE_MS - 1)).to.deep.equal([])
      expect((await claimed(now + INGEST_LEASE_MS)).map(({ id }) => id)).to.deep.equal(ids.slice(1))
      expect(faults).to.have.length(2)
      await dispatch.stop()
      rmSync(folder, { recursive: true })
    })
})
