/** What becomes of a store that an older version wrote, and of an audit log in other hands; SQLite and PostgreSQL pass the same. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { OPERATOR } from '../../../server/domain/audit.ts'
import { openStore } from '../../../server/store/store.ts'
import { rewrittenFrom } from '../../support/store/a-rewritten-log.ts'
import { anOlderStore, OLDER, OLDER_ROWS, REMOVED } from '../../support/store/older/an-older-store.ts'
import { organization, type Place, storesIn } from './stores-in.ts'

export function outlivesItsVersions(newPlace: () => Promise<Place>): void {
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

  it('seals what an older store holds in the clear, once, for two processes that start at the same moment', async () => {
    await anOlderStore(place().data, masterKey())
    const isClear = async (text: string) => (await place().everything()).includes(text)
    for (const text of Object.values(OLDER)) expect(await isClear(text), text).to.equal(true)

    const [store] = await Promise.all([open(), open()])
    const { subscriptions, templates } = store!.forOrganization(1)
    expect((await subscriptions.list())[0]).to.include({ url: OLDER.url, description: OLDER.description })
    const [template] = await templates.list()
    expect(template).to.include({ summary: OLDER.summary, clinicalDateLabel: OLDER.dateLabel })
    expect(template!.fields[0]!.value).to.equal(OLDER.fieldText)
    for (const text of [...Object.values(OLDER), REMOVED]) expect(await isClear(text), text).to.equal(false)
    expect(await place().query('SELECT * FROM chore')).to.deep.equal([])
  })

  it('takes the documents of an older store as they came, and has active content stripped from now on', async () => {
    const { data, query } = place()
    await anOlderStore(data, masterKey())
    await query(`INSERT INTO document_type (name, category) VALUES ('Order', 'Order')`)
    const blob = data.startsWith('postgres') ? "'\\x00'" : "x'00'"
    for (const id of [1, 2])
      await query(`INSERT INTO task (id, organization_id, status, document_type_id, signer_npi, external_doc_index,
        is_archived, is_filed, sealed_request, sealed_notes, ingest_attempts, created_at, updated_at)
        VALUES (${id}, 1, 'Pending', 1, '9999900019', 'x', 0, 0, ${blob}, ${blob}, 0, 'x', 'x')`)
    for (const kind of ['received', 'signed'])
      await query(`INSERT INTO document (task_id, kind, sealed, sha256, bytes, created_at)
        VALUES (1, '${kind}', ${blob}, '${kind}-digest', 1, 'x')`)

    const store = await open()
    expect(await store.forOrganization(1).documentSettings()).to.deep.equal({
      activeContent: defaultActiveContentPolicy,
      documents: 'auto',
    })
    expect(await query('SELECT received_sha256, preparations FROM task ORDER BY id')).to.deep.equal([
      { received_sha256: 'received-digest', preparations: '[]' },
      { received_sha256: '', preparations: '[]' },
    ])
  })

  it('leaves an older store as it was under a wrong master key, and where something cannot be sealed', async () => {
    await anOlderStore(place().data, masterKey())
    const url = async () => (await place().query('SELECT url FROM subscription'))[0]?.url
    const failure = async (key: Buffer) => openStore(place().data, key).catch(({ message }: Error) => message)
    expect(await failure(randomBytes(32))).to.match(/^The store was written with another master key/)
    expect(await url()).to.equal(OLDER.url)
    const [{ fields } = {}] = await place().query('SELECT fields FROM template')
    await place().query("UPDATE template SET fields = '['")
    expect(await failure(masterKey())).to.equal('The schema of the store could not be brought up to date.')
    expect(await url()).to.equal(OLDER.url)
    await place().query(`UPDATE template SET fields = '${fields}'`)
    expect((await (await open()).forOrganization(1).subscriptions.list())[0]?.url).to.equal(OLDER.url)
  })

  it('cleans the database when the process that was to do it was killed', async () => {
    await close(await open())
    await place().query("INSERT INTO chore (name) VALUES ('scrub')")
    await open()
    expect(await place().query('SELECT * FROM chore')).to.deep.equal([])
  })

  it('sees without a head that the audit log was written anew by somebody without the master key', async () => {
    const store = await open()
    for (let n = 0; n < 8; n++) await organization(store, `Organization ${n}`)
    expect(await store.audit.verify()).to.deep.include({ rows: 8, keyedAfter: 0, fault: null })
    await change(5)
    await rewrittenFrom(5, place().query)
    expect((await store.audit.verify()).fault).to.match(/^row 5 was changed/)
    await rewrittenFrom(1, place().query)
    expect((await store.audit.verify()).fault, 'as if it had never had a key').to.match(/^row 1 was changed/)
  })

  it('goes on with an audit log from before there was a key, and sees what was changed of it since', async () => {
    await anOlderStore(place().data, masterKey())
    const [store, other] = await Promise.all([open(), open()])
    await organization(store!)
    await organization(other!, 'Northfield')
    const whole = { rows: OLDER_ROWS + 2, keyedAfter: OLDER_ROWS, fault: null }
    expect(await store!.audit.verify()).to.deep.include(whole)
    expect(await (await open()).audit.verify()).to.deep.include(whole)
    await place().query(`DELETE FROM audit WHERE sequence > ${OLDER_ROWS - 1}`)
    expect((await store!.audit.verify()).fault).to.match(/^the rows after 5, up to 6 of the end of the rows that/)
  })

  it('sees that rows from before there was a key were written anew', async () => {
    await anOlderStore(place().data, masterKey())
    const store = await open()
    await change(2)
    await rewrittenFrom(2, place().query)
    expect((await store.audit.verify()).fault).to.equal(
      'row 6 is not the one of the end of the rows that are older than the key of the log',
    )
  })

  it('makes no new keys for a log whose keys were removed', async () => {
    const store = await open()
    await organization(store)
    await close(store)
    await place().query("DELETE FROM keepsake WHERE name = 'index key'")
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
      expect(await rotated.audit.verify()).to.deep.include({ rows: 4, keyedAfter: 0, fault: null })
      await change(2)
      await rewrittenFrom(2, place().query)
      expect((await rotated.audit.verify()).fault).to.match(/^row 2 was changed/)
    } finally {
      await rotated.close()
    }
  })
}
