/**
 * What becomes of rows that somebody changes, adds, removes or puts back who can write to the database and does not have the
 * master key. SQLite and PostgreSQL pass the same.
 */
import { expect } from 'chai'
import { OPERATOR } from '../../../../server/domain/audit.ts'
import { makeKey } from '../../../../server/keys/api-key.ts'
import type { ChangedRow } from '../../../../server/store/rows/row-macs.ts'
import {
  AUTHENTICATED,
  type AuthenticatedName,
  authenticated,
} from '../../../../server/store/sql/authenticated-tables.ts'
import { rowsInCamelCase } from '../../../../server/store/sql/camel-case.ts'
import type { Store } from '../../../../server/store/store.ts'
import { aDelegation, aSigner, DELEGATE, GIVER } from '../../../support/store/a-delegation.ts'
import { AT, later, organization, type Place, pending, signer, storesIn } from '../stores-in.ts'

const SOON = later(60)
const by = OPERATOR
const STRANGER = '9999900209'

/** One row of each table, by what it is known by in SQL, and whether the service still lets it grant something. */
interface Granting {
  row: string
  grants(): Promise<boolean>
}

export function refusesChangedRows(newPlace: () => Promise<Place>): void {
  const { open, place, masterKey: _ } = storesIn(newPlace)
  const query = (sql: string) => place().query(sql)
  let store: Store
  let granting: Record<AuthenticatedName, Granting>
  let organizationId: number

  beforeEach(async () => {
    store = await open()
    organizationId = await organization(store)
    const practice = await signer(store)
    await store.organizations.update(practice, { allowsDelegation: true }, AT)
    const delegation = await aDelegation(store, practice)
    await aSigner(store, STRANGER, practice)
    const [personId, otherId] = (await store.people.list()).map(({ id }) => id) as [number, number]
    for (const id of [personId, otherId]) await store.people.setPassword(id, `hash ${id}`, AT)
    const { email } = (await store.people.find(personId))!
    const key = makeKey('live', (bytes) => Buffer.alloc(bytes, 1))
    const shared = { mode: 'live', description: '', createdAt: AT.toISOString(), expiresAt: null } as const
    const ofKey = { ...shared, keyId: key.keyId, digest: key.digest, last4: key.last4 }
    await store.keys.insert({ ...ofKey, organizationId, personName: null })
    await store.operatorKeys.insert({ ...ofKey, organizationId: null, scopes: '' })
    const identity = { issuer: 'https://login.example.org', subject: 'somebody' }
    await store.identities.link(identity, personId, AT, by)
    const row = { at: AT, expiresAt: SOON, ip: '192.0.2.1' }
    const code = (step: number) =>
      ({ kind: 'app', stepOf: (_secret: Uint8Array, last: number) => step + last }) as const
    for (const id of [personId, otherId]) {
      await store.sessions.open({ personId: id, passwordHash: `hash ${id}`, digest: `session ${id}`, ...row })
      const offer = { personId: id, holder: `session ${id}`, at: AT, by, secret: Buffer.alloc(20, id), code: null }
      await store.secondFactors.offer({ ...offer, expiresAt: SOON })
      const enrolment = { personId: id, holder: `session ${id}`, code: code(1), recoveryCodes: ['code'], at: AT, by }
      await store.secondFactors.enrol(enrolment)
      await store.secondFactors.offer({ ...offer, code: code(1), expiresAt: SOON })
    }
    const step = {
      digest: 'step',
      personId,
      passwordHash: `hash ${personId}`,
      mustEnrol: false,
      at: AT,
      expiresAt: SOON,
    }
    await store.signInSteps.begin(step)
    await store.signOnAttempts.begin('attempt', { returnTo: '/inbox', earlierSession: null }, AT, SOON)
    const { subscriptions } = store.forOrganization(organizationId)
    const subscription = await subscriptions.create('https://a.example.org/', 'first', Buffer.alloc(32, 1), AT)
    const other = await subscriptions.create('https://b.example.org/', 'second', Buffer.alloc(32, 2), AT)
    for (const id of [subscription, other])
      await store.receivers.addSecret({ organizationId, id, by, at: AT }, Buffer.alloc(32, 3), SOON)
    await pending(store, organizationId, practice)
    await store.outbox.fanOut(AT, 10)

    const provider = async () => (await store.providers.find(GIVER))?.organizations.length ?? 0
    granting = {
      organization: {
        row: `id = ${organizationId}`,
        grants: async () => !!(await store.organizations.find(organizationId)) || !!(await store.keys.find(key.keyId)),
      },
      apiKey: { row: `key_id = '${key.keyId}'`, grants: async () => !!(await store.keys.find(key.keyId)) },
      operatorKey: {
        row: `key_id = '${key.keyId}'`,
        grants: async () =>
          !!(await store.operatorKeys.find(key.keyId)) ||
          (await store.operatorKeys.openFor([key.keyId], AT)).has(key.keyId),
      },
      provider: { row: `npi = '${GIVER}'`, grants: async () => (await provider()) > 0 },
      providerOrganization: { row: `npi = '${GIVER}'`, grants: async () => (await provider()) > 0 },
      person: {
        row: `id = ${personId}`,
        grants: async () =>
          !!(await store.people.findForSignIn(email)) ||
          !!(await store.sessions.find(`session ${personId}`, AT, new Date(0))) ||
          (await store.sessions.standings([`session ${personId}`], AT, new Date(0))).size > 0,
      },
      identity: { row: "subject = 'somebody'", grants: async () => !!(await store.identities.accountOf(identity)) },
      secondFactor: {
        row: `person_id = ${personId}`,
        grants: () => store.secondFactors.turnOff({ personId, code: code(1), keep: '', at: AT, by }),
      },
      session: {
        row: `digest = 'session ${personId}'`,
        grants: async () =>
          !!(await store.sessions.find(`session ${personId}`, AT, new Date(0))) ||
          (await store.sessions.standings([`session ${personId}`], AT, new Date(0))).size > 0,
      },
      signInStep: { row: "digest = 'step'", grants: async () => !!(await store.signInSteps.find('step', AT)) },
      secondFactorOffer: {
        row: `person_id = ${personId}`,
        grants: () =>
          store.secondFactors.enrol({
            personId,
            holder: `session ${personId}`,
            code: code(1),
            recoveryCodes: ['code'],
            at: AT,
            by,
          }),
      },
      signOnAttempt: {
        row: "digest = 'attempt'",
        grants: async () => (await store.signOnAttempts.take('attempt', AT)) !== null,
      },
      delegation: {
        row: `id = ${delegation}`,
        async grants() {
          if ((await store.delegations.list('all', AT)).length === 0) return false
          return (await store.delegations.areGenuine(DELEGATE)) && (await store.delegations.areGenuine(STRANGER))
        },
      },
      subscription: {
        row: `id = ${subscription}`,
        async grants() {
          const choose = () => [{ subscriptionId: subscription, lane: 'first', limit: 9 }] as const
          return (await store.outbox.claim({ at: AT, leaseUntil: SOON, lease: 'l', choose })).length > 0
        },
      },
    }
  })

  const names = Object.keys(AUTHENTICATED) as AuthenticatedName[]
  const inSql = (name: string) => rowsInCamelCase.inSql(name)
  const columnsOf = (name: AuthenticatedName): string[] => {
    const { columns, later = {} } = authenticated(name)
    return [...columns, ...Object.keys(later)]
  }
  const faults = async () => (await store.audit.verify()).rowFaults

  it('grants what it grants, and finds nothing wrong, while nobody changes it', async () => {
    expect([await faults(), await store.changedRows()]).to.deep.equal([[], []])
    // An enrolment replaces the second factor, so that comes last.
    for (const name of [...names.filter((one) => one !== 'secondFactor'), 'secondFactor'] as const)
      expect(await granting[name].grants(), name).to.equal(true)
    expect([await faults(), await store.changedRows()]).to.deep.equal([[], []])
  })

  for (const name of names) {
    const table = inSql(name)

    it(`refuses and names a row of ${name} of which any one value was changed`, async () => {
      const { row, grants } = granting[name]
      for (const column of [...columnsOf(name), 'mac']) {
        await query(`CREATE TABLE saved AS SELECT * FROM ${table} WHERE ${row}`)
        await changeOne(table, inSql(column), row)
        const found = (await store.changedRows()).map((one) => one.table)
        expect(found, column).to.deep.equal([name])
        expect(
          (await faults()).map((one) => `${one.table} ${one.is}`),
          column,
        ).to.deep.equal([`${name} changed`])
        const reported: ChangedRow[] = []
        store.onChangedRow((one) => reported.push(one))
        // One statement for each, because what was saved has columns in the same order.
        if (!ENDS.includes(name)) expect(await grants(), column).to.equal(false)
        await query(`UPDATE ${table} SET ${inSql(column)} = (SELECT ${inSql(column)} FROM saved) WHERE ${row}`)
        await query('DROP TABLE saved')
        expect(await store.changedRows(), column).to.deep.equal([])
      }
      // Using one deletes it, so once is enough.
      if (!ENDS.includes(name)) return
      await query(`CREATE TABLE saved AS SELECT * FROM ${table} WHERE ${row}`)
      await changeOne(table, inSql(AUTHENTICATED[name].columns.at(-1)!), row)
      expect(await grants()).to.equal(false)
    })

    it(`refuses and names a row of ${name} that was copied to another place`, async () => {
      const columns = (await query(`SELECT * FROM ${table} WHERE ${granting[name].row}`))[0]!
      const changed: Record<string, string> = {
        ...COPIES[name],
        ...(name === 'person' && { email: "'m@example.com'" }),
      }
      const values = Object.keys(columns).map((column) => changed[column] ?? column)
      if (name === 'secondFactor' || name === 'secondFactorOffer')
        await query(`DELETE FROM ${table} WHERE NOT (${granting[name].row})`)
      await query(
        `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) SELECT ${values.join(', ')} FROM ${table} WHERE ${granting[name].row}`,
      )
      expect(new Set((await store.changedRows()).map((one) => one.table))).to.deep.equal(new Set([name]))
      expect((await faults()).map((one) => `${one.table} ${one.is}`)).to.include(`${name} changed`)
    })

    if (AUTHENTICATED[name].isLogged)
      it(`names a row of ${name} that was put back to an earlier version`, async () => {
        const { row } = granting[name]
        await query(`CREATE TABLE saved AS SELECT * FROM ${table} WHERE ${row}`)
        await NEXT[name]!()
        expect(await faults()).to.deep.equal([])
        const columns = [...columnsOf(name), 'mac'].map(inSql)
        if ((await query(`SELECT 1 AS one FROM ${table} WHERE ${row}`)).length === 0)
          await query(`INSERT INTO ${table} SELECT * FROM saved`)
        else
          await query(
            `UPDATE ${table} SET ${columns.map((one) => `${one} = (SELECT ${one} FROM saved)`).join(', ')} WHERE ${row}`,
          )
        expect((await faults()).map((one) => `${one.table} ${one.is}`)).to.deep.equal([`${name} earlier`])
      })
  }

  for (const when of ['before', 'after'] as const)
    it(`sends no event that was pointed to another organization ${when} it was given to its subscriptions`, async () => {
      const other = await organization(store, 'Harbor')
      const { subscriptions } = store.forOrganization(other)
      const subscriptionId = await subscriptions.create('https://c.example.org/', 'third', Buffer.alloc(32, 3), AT)
      const events = `organization_id = ${organizationId}`
      if (when === 'before') {
        await query(`DELETE FROM delivery WHERE ${events}`)
        await query(`UPDATE event SET organization_id = ${other}, is_fanned_out = 0 WHERE ${events}`)
        expect(await store.outbox.fanOut(AT, 10)).to.be.greaterThan(0)
      } else {
        await query(`UPDATE event SET organization_id = ${other} WHERE ${events}`)
        await query(
          `UPDATE delivery SET organization_id = ${other}, subscription_id = ${subscriptionId}
           WHERE id IN (SELECT min(id) FROM delivery WHERE ${events} GROUP BY event_id)`,
        )
      }
      const unreadable: unknown[] = []
      const choose = () => [{ subscriptionId, lane: 'first', limit: 9 }] as const
      const onUnreadable = (...given: unknown[]) => void unreadable.push(given)
      const claimed = await store.outbox.claim({ at: AT, leaseUntil: SOON, lease: 'l', choose, onUnreadable })
      expect(claimed).to.deep.equal([])
      expect(unreadable).to.have.length.greaterThan(0)
      const named = (await faults()).map((one) => `${one.table} ${one.is}`)
      expect(named).to.include('event changed')
      if (when === 'after') expect(named).to.include('delivery changed')
    })

  it('sends no event to another subscription of the same organization, and names the delivery', async () => {
    const { subscriptions } = store.forOrganization(organizationId)
    const subscriptionId = await subscriptions.create('https://c.example.org/', 'third', Buffer.alloc(32, 3), AT)
    const [moved] = (await query(`SELECT min(id) AS id FROM delivery WHERE organization_id = ${organizationId}`)) as {
      id: number
    }[]
    const claim = async (): Promise<[claimed: number, unreadable: number]> => {
      let unreadable = 0
      const claimed = await store.outbox.claim({
        ...{ at: AT, leaseUntil: AT, lease: 'l', onUnreadable: () => (unreadable += 1) },
        choose: () => [{ subscriptionId, lane: 'first', limit: 9 }],
      })
      return [claimed.length, unreadable]
    }
    for (const change of ['', ', mac = NULL', ", mac = 'x'"]) {
      await query(`UPDATE delivery SET subscription_id = ${subscriptionId}${change} WHERE id = ${moved!.id}`)
      expect(await claim(), change).to.deep.equal([0, 1])
      expect(await faults(), change).to.deep.equal([{ table: 'delivery', id: String(moved!.id), is: 'changed' }])
    }
  })

  it('names rows that were removed', async () => {
    await query('DELETE FROM second_factor')
    await query('DELETE FROM operator_key')
    expect((await faults()).map((one) => `${one.table} ${one.is}`).sort()).to.deep.equal([
      'operatorKey removed',
      'secondFactor removed',
      'secondFactor removed',
    ])
  })

  it('asks for a second factor whose row was removed, names it, and lets an operator take it away', async () => {
    const personId = Number(/\d+/.exec(granting.person.row)![0])
    const passwordHash = `hash ${personId}`
    const begun = (digest: string) =>
      store.signInSteps.begin({ digest, personId, passwordHash, mustEnrol: true, at: AT, expiresAt: SOON })
    const opened = () =>
      store.sessions.open({
        ...{ personId, passwordHash, digest: 'by password', at: AT, expiresAt: SOON, ip: '192.0.2.1' },
        byPasswordAlone: true,
      })
    const reported: ChangedRow[] = []
    store.onChangedRow((one) => reported.push(one))
    await query(`DELETE FROM second_factor WHERE person_id = ${personId}`)
    expect([await begun('afterwards'), await opened()]).to.deep.equal(['code', false])
    expect((await store.secondFactors.of(personId)).isOn).to.equal(true)
    expect((await store.secondFactors.owners()).has(personId)).to.equal(true)
    const ofFactor = { table: 'secondFactor', id: String(personId) }
    for (const code of [{ kind: 'app', stepOf: () => 1 } as const, { kind: 'recovery', text: 'code' } as const]) {
      const session = { digest: 'finished', at: AT, expiresAt: SOON, ip: '192.0.2.1' }
      expect(await store.signInSteps.finish({ digest: 'afterwards', session, code })).to.equal('wrong')
    }
    const offer = { personId, holder: 'afterwards', secret: Buffer.alloc(20), code: null, at: AT, by, expiresAt: SOON }
    expect(await store.secondFactors.offer(offer), 'another one is not set up in its place').to.equal(false)
    expect(reported).to.deep.equal([ofFactor])
    expect(await store.changedRows()).to.deep.equal([ofFactor])
    expect(await faults()).to.deep.equal([{ ...ofFactor, is: 'removed' }])

    expect(await store.secondFactors.remove({ personId, at: AT, by })).to.equal(true)
    expect([await store.changedRows(), await faults()]).to.deep.equal([[], []])
    expect(await begun('again')).to.equal('enrolment')
  })

  it('does not make a changed row genuine with a change of its own', async () => {
    await query(`UPDATE person SET npi = '${STRANGER}' WHERE ${granting.person.row}`)
    const id = Number(/\d+/.exec(granting.person.row)![0])
    for (const change of [
      () => store.people.setPassword(id, 'another', AT),
      () => store.people.disable(id, AT, by),
      () => store.people.remove(id, AT, by),
    ])
      expect(await change().catch((failure: Error) => failure.message)).to.include(
        `person ${id} was changed in the database without the master key`,
      )
    expect((await store.changedRows()).map((one) => one.table)).to.deep.equal(['person'])
  })

  it('tells of a row that is refused, once, and never what is in it', async () => {
    const reported: ChangedRow[] = []
    store.onChangedRow((one) => reported.push(one))
    await query(`UPDATE person SET role = 'operator' WHERE ${granting.person.row}`)
    await granting.person.grants()
    await granting.person.grants()
    const id = /\d+/.exec(granting.person.row)![0]
    expect(reported).to.deep.equal([{ table: 'person', id }])
  })

  /** Reverses 0048-search, 0049-bound-deliveries, 0052-answers, 0053-audit-list, 0057-key-use, 0058-next-secrets, 0061-audit-actor, 0064-decided-reviews, and 0067-last-sign-in. */
  async function undoSearch(): Promise<void> {
    await query('ALTER TABLE attempt DROP COLUMN answer')
    for (const name of ['action', 'actor']) await query(`DROP INDEX audit_${name}`)
    await query('DROP TABLE key_use')
    for (const name of ['sealed_next_secret', 'next_secret_at'])
      await query(`ALTER TABLE subscription DROP COLUMN ${name}`)
    await query('ALTER TABLE delivery DROP COLUMN mac')
    await query('DROP TABLE task_term')
    for (const name of ['unsearchable', 'created', 'signer', 'type', 'recorded']) await query(`DROP INDEX task_${name}`)
    await query('ALTER TABLE task DROP COLUMN is_searchable')
    await query('ALTER TABLE task DROP COLUMN sealed_decision')
    await query('ALTER TABLE person DROP COLUMN last_sign_in_at')
  }

  it('takes the rows of a store from before a column was added, and refuses one in which the column is put back', async () => {
    for (const { id } of await query('SELECT id FROM subscription'))
      await store.receivers.useNewSecret({ organizationId, id: Number(id), by, at: AT })
    await query("DELETE FROM kysely_migration WHERE name >= '0040-documents'")
    await undoSearch()
    await query('ALTER TABLE organization DROP COLUMN documents')
    await query('DROP INDEX delivery_manual')
    const again = await open()
    expect(await again.changedRows()).to.deep.equal([])
    expect((await again.organizations.find(organizationId))?.documents).to.equal('auto')
    await again.organizations.update(organizationId, { documents: 'draw' }, AT)
    expect((await again.organizations.find(organizationId))?.documents).to.equal('draw')
    await query("UPDATE organization SET documents = 'auto'")
    expect(await again.organizations.find(organizationId)).to.equal(null)
  })

  it('authenticates no rows again when the schema is put back to before there were MACs', async () => {
    await query(`UPDATE person SET role = 'operator' WHERE ${granting.person.row}`)
    await query("DELETE FROM kysely_migration WHERE name >= '0036-authenticated-rows'")
    await undoSearch()
    await query('ALTER TABLE operator_key DROP COLUMN scopes')
    await query('ALTER TABLE person DROP COLUMN has_second_factor')
    await query('ALTER TABLE organization DROP COLUMN time_zone')
    await query('ALTER TABLE organization DROP COLUMN documents')
    await query('DROP INDEX delivery_manual')
    for (const name of names) await query(`ALTER TABLE ${inSql(name)} DROP COLUMN mac`)
    await query('ALTER TABLE audit DROP COLUMN written')
    const again = await open()
    expect(new Set((await again.changedRows()).map((one) => one.table))).to.deep.equal(new Set(names))
    expect((await again.audit.verify()).fault).to.match(/^row \d+ was changed/)
  })

  /** Changes one value to another one that the database accepts. */
  async function changeOne(table: string, column: string, row: string): Promise<void> {
    const others = `(SELECT ${column} FROM ${table} WHERE NOT (${row}) AND ${column} IS NOT NULL LIMIT 1)`
    const candidates = column.startsWith('sealed_')
      ? [others]
      : [
          `${column} || 'x'`,
          `1 - ${column}`,
          `'${STRANGER}'`,
          `${organizationId} + 1`,
          `${organizationId}`,
          `${column} + 1`,
          "'x'",
          '0',
        ]
    for (const value of candidates) {
      const changes = `(${value}) IS DISTINCT FROM ${column}`
      const set = `UPDATE ${table} SET ${column} = ${value} WHERE ${row} AND ${changes}`
      const isDone = await query(set).then(
        async () =>
          (await query(`SELECT 1 AS one FROM ${table}, saved WHERE ${differs(table, column, row)}`)).length > 0,
        () => false,
      )
      if (isDone) return
    }
    throw new Error(`No other value fits ${table}.${column}.`)
  }
  const differs = (table: string, column: string, row: string) =>
    `${row.replace(/^/, `${table}.`)} AND ${table}.${column} IS DISTINCT FROM saved.${column}`

  /** What the service does next with the row. */
  const NEXT: Partial<Record<AuthenticatedName, () => Promise<unknown>>> = {
    organization: () => store.organizations.update(organizationId, { ingestionEnabled: false }, AT),
    apiKey: () => store.keys.revoke(/'(.*)'/.exec(granting.apiKey.row)![1]!, AT),
    operatorKey: () => store.operatorKeys.revoke(/'(.*)'/.exec(granting.operatorKey.row)![1]!, AT),
    provider: () => store.providers.setActive(GIVER, false, AT),
    providerOrganization: () => store.providers.setOrganizations(GIVER, [], AT),
    person: () => store.people.disable(Number(/\d+/.exec(granting.person.row)![0]), AT, by),
    identity: () => store.identities.unlink(Number(/\d+/.exec(granting.person.row)![0]), null, AT, by),
    secondFactor: () =>
      store.secondFactors.remove({ personId: Number(/\d+/.exec(granting.person.row)![0]), at: AT, by }),
    delegation: () => store.delegations.end(Number(/\d+/.exec(granting.delegation.row)![0]), 'all', { by, at: AT }),
    subscription: () =>
      store.forOrganization(organizationId).subscriptions.remove(Number(/\d+/.exec(granting.subscription.row)![0]), AT),
  }
}

/** Using one of them takes it away, genuine or not. */
const ENDS: readonly AuthenticatedName[] = ['signOnAttempt']

/** What a copy is known by, in SQL. */
const COPIES: Readonly<Record<AuthenticatedName, Record<string, string>>> = {
  organization: { id: '999', name: "'Copy'", npi: 'NULL' },
  apiKey: { key_id: "'another'" },
  operatorKey: { key_id: "'another'" },
  provider: { npi: "'9999900217'" },
  providerOrganization: { organization_id: '(SELECT min(id) FROM organization)' },
  person: { id: '999' },
  identity: { subject: "'another'", person_id: '(SELECT max(id) FROM person)' },
  secondFactor: { person_id: '(SELECT max(id) FROM person)' },
  session: { digest: "'another'" },
  signInStep: { digest: "'another'" },
  secondFactorOffer: { person_id: '(SELECT max(id) FROM person)' },
  signOnAttempt: { digest: "'another'" },
  delegation: { id: '999' },
  subscription: { id: '999' },
}
