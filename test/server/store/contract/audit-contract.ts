/** An audit log in other hands; SQLite and PostgreSQL pass the same. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { OPERATOR } from '../../../../server/domain/audit.ts'
import { openStore } from '../../../../server/store/store.ts'
import { rewrittenFrom } from '../../../support/store/a-rewritten-log.ts'
import { organization, type Place, storesIn } from '../stores-in.ts'

export function keepsItsAuditLog(newPlace: () => Promise<Place>): void {
  const { open, close, place, masterKey } = storesIn(newPlace)
  const change = (sequence: number) => place().query(`UPDATE audit SET actor_id = 'x' WHERE sequence = ${sequence}`)

  it('migrates once: opened again, and twice at the same moment, it has what it had', async () => {
    const [first, second] = await Promise.all([open(), open()])
    const id = await organization(first)
    expect((await second.organizations.find(id))?.name).to.equal('Willow Creek')
    await close(first)
    const third = await open()
    expect((await third.organizations.find(id))?.name).to.equal('Willow Creek')
  })

  it('sees without a head that the audit log was written anew by somebody without the master key', async () => {
    const store = await open()
    for (let n = 0; n < 8; n++) await organization(store, `Organization ${n}`)
    expect(await store.audit.verify()).to.deep.include({ rows: 8, fault: null })
    await change(5)
    await rewrittenFrom(5, place().query)
    expect((await store.audit.verify()).fault).to.match(/^row 5 was changed/)
    await rewrittenFrom(1, place().query)
    expect((await store.audit.verify()).fault, 'as if it had never had a key').to.match(/^row 1 was changed/)
  })

  it('makes no new keys for a log whose keys were removed', async () => {
    const store = await open()
    await organization(store)
    await close(store)
    await place().query("DELETE FROM keepsake WHERE name = 'store keys'")
    const failure = await openStore(place().data, masterKey()).catch(({ message }: Error) => message)
    expect(failure).to.match(/^The store has an audit log, but the keys that belong to it are missing/)
  })

  it('has whole keys under a new master key: the log is still verified and still not forged', async () => {
    const store = await open()
    await organization(store)
    await close(store)
    const [older, newer] = [masterKey(), randomBytes(32)]
    const both = await openStore(place().data, newer, older)
    await organization(both, 'Northfield')
    expect(await both.rewrapAll(OPERATOR, new Date())).to.be.above(0)
    await both.close()
    const rotated = await openStore(place().data, newer)
    try {
      await organization(rotated, 'Harbor')
      expect(await rotated.audit.verify()).to.deep.include({ rows: 4, fault: null })
      await change(2)
      await rewrittenFrom(2, place().query)
      expect((await rotated.audit.verify()).fault).to.match(/^row 2 was changed/)
    } finally {
      await rotated.close()
    }
  })
}
