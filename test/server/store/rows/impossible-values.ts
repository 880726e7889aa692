/**
 * Values that the service never writes, in rows that grant access: numbers that JavaScript cannot hold, and values of another type, by
 * someone who can write to the database and does not have the master key. Each row is named, and no value hides the other changed rows.
 * SQLite and PostgreSQL pass the same, as far as their columns take the values.
 */
import { expect } from 'chai'
import { makeKey } from '../../../../server/keys/api-key.ts'
import { type AuthenticatedName, authenticated } from '../../../../server/store/sql/authenticated-tables.ts'
import { rowsInCamelCase } from '../../../../server/store/sql/camel-case.ts'
import type { Store } from '../../../../server/store/store.ts'
import { aDelegation, DELEGATE } from '../../../support/store/a-delegation.ts'
import { AT, later, organization, type Place, storesIn } from '../stores-in.ts'

const VALUES = [
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740993',
  '-1',
  '1.5',
  '1e308',
  "'NaN'",
  "'9999-12-31T23:59:59.999Z'",
  "'+275760-09-13T00:00:00.001Z'",
  'NULL',
] as const

/** The tables of which the store of these tests has rows. */
const FILLED: readonly AuthenticatedName[] = [
  'organization',
  'apiKey',
  'operatorKey',
  'provider',
  'person',
  'delegation',
  'session',
  'subscription',
]

/** Columns of which no two rows may have the same value. */
const UNIQUE: Partial<Record<AuthenticatedName, readonly string[]>> = {
  organization: ['name'],
  person: ['email'],
}

const inSql = (name: string) => rowsInCamelCase.inSql(name)

export function refusesImpossibleValues(newPlace: () => Promise<Place>): void {
  const { open, place } = storesIn(newPlace)
  const query = (sql: string) => place().query(sql)
  let store: Store

  beforeEach(async () => {
    store = await open()
    const practice = await organization(store, 'Lakeside')
    await store.organizations.update(practice, { allowsDelegation: true }, AT)
    await aDelegation(store, practice)
    const people = (await store.people.list()).map(({ id }) => id)
    for (const personId of people) {
      await store.people.setPassword(personId, 'hash', AT)
      const opened = { at: AT, expiresAt: later(60), ip: '192.0.2.1' }
      await store.sessions.open({ personId, passwordHash: 'hash', digest: `session ${personId}`, ...opened })
    }
    await organization(store, 'Another')
    const { keyId, digest, last4 } = makeKey('live', (bytes) => Buffer.alloc(bytes, 1))
    const made = { keyId, digest, last4, mode: 'live', description: '', createdAt: AT.toISOString() } as const
    await store.keys.insert({ ...made, organizationId: practice, personName: null, expiresAt: later(60).toISOString() })
    await store.operatorKeys.insert({ ...made, organizationId: null, scopes: '', expiresAt: null })
    const { subscriptions } = store.forOrganization(practice)
    for (const name of ['a', 'b'])
      await subscriptions.create(`https://${name}.example.org/`, name, Buffer.alloc(32, 1), AT)
  })

  /** Tables of which the store of these tests has two rows. */
  for (const name of ['organization', 'provider', 'person', 'providerOrganization', 'session', 'subscription'] as const)
    it(`name two rows of ${name} of which all values but what they are known by were exchanged, MACs included`, async () => {
      const table = inSql(name)
      const { key, columns } = authenticated(name)
      const keys: string[] = key.map(inSql)
      const all = [...columns, 'mac'].map(inSql)
      const unique = UNIQUE[name] ?? []
      const [one, other] = await query(`SELECT * FROM ${table} ORDER BY ${keys.join(', ')} LIMIT 2`)
      const isIt = (row: Record<string, unknown>) => keys.map((column) => `${column} = '${row[column]}'`).join(' AND ')
      await query(`CREATE TABLE saved AS SELECT * FROM ${table} WHERE ${isIt(one!)} OR ${isIt(other!)}`)
      // A name that only one row may have is free before it is given to the other one.
      for (const column of unique) await query(`UPDATE ${table} SET ${column} = ${column} || 'x' WHERE ${isIt(one!)}`)
      for (const [to, from] of [
        [other!, one!],
        [one!, other!],
      ] as const)
        await query(
          `UPDATE ${table} SET ${all.map((column) => `${column} = (SELECT ${column} FROM saved WHERE ${isIt(from)})`).join(', ')} WHERE ${isIt(to)}`,
        )
      expect((await store.changedRows()).map((row) => row.table)).to.deep.equal([name, name])
      const { rowFaults } = await store.audit.verify()
      expect(rowFaults.filter(({ is }) => is === 'changed').map((row) => row.table)).to.deep.equal([name, name])
    })

  for (const name of FILLED)
    it(`name rows of ${name}, and hide no other row`, async () => {
      const table = inSql(name)
      const { key, columns } = authenticated(name)
      const keys: string[] = key.map(inSql)
      const [row] = await query(`SELECT * FROM ${table} ORDER BY ${keys.join(', ')} LIMIT 1`)
      const isIt = keys.map((column) => `${column} = '${row![column]}'`).join(' AND ')
      await query(`CREATE TABLE saved AS SELECT * FROM ${table} WHERE ${isIt}`)
      const change = (set: string, where: string) =>
        query(`UPDATE ${table} SET ${set} WHERE ${where}`).then(
          () => true,
          () => false,
        )
      await query(`UPDATE provider SET last_name = 'Mallory' WHERE npi = '${DELEGATE}'`)
      const namedAre = [...new Set([name, 'provider'])].toSorted()
      let tried = 0
      for (const column of [...keys, ...columns.map(inSql)])
        for (const value of VALUES) {
          if (!(await change(`${column} = ${value}`, isIt))) continue
          const same = `${isIt} AND ${column} IS NOT DISTINCT FROM (SELECT ${column} FROM saved)`
          if ((await query(`SELECT 1 AS one FROM ${table} WHERE ${same}`)).length === 0) {
            tried += 1
            const what = `${column} = ${value}`
            const found = (await store.changedRows()).map((one) => one.table)
            expect([...new Set<string>(found)].toSorted(), what).to.deep.equal(namedAre)
            if (value === VALUES[0]) {
              const { rowFaults } = await store.audit.verify()
              const changed = rowFaults.filter(({ is }) => is === 'changed').map((one) => one.table)
              expect([...new Set<string>(changed)].toSorted(), what).to.deep.equal(namedAre)
            }
          }
          const put = `${column} = (SELECT ${column} FROM saved)`
          expect(await change(put, 'mac = (SELECT mac FROM saved)')).to.equal(true)
        }
      expect(tried).to.be.greaterThan(columns.length)
    })
}
