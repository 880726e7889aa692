import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { transition } from '../../../server/domain/task/task.ts'
import { sign } from '../../support/service/task-steps.ts'
import { aDispatch, type TestDispatch } from '../../support/store/a-dispatch.ts'

const AT = new Date('2026-03-02T09:00:00.000Z')

describe('the audit log', () => {
  let folder: string
  let dispatch: TestDispatch

  /** Somebody with the database file in hand. */
  function tamper(statement: string): void {
    const database = new DatabaseSync(join(folder, 'countersign.sqlite'))
    database.exec(statement)
    database.close()
  }
  const rows = async () => {
    const found = []
    for await (const row of dispatch.store.audit.rows()) found.push(row)
    return found
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-audit-'))
    dispatch = await aDispatch({ data: folder })
    await dispatch.subscribe('https://ehr.example.org/')
    await dispatch.happensOften(4)
  })
  afterEach(async () => {
    await dispatch.stop()
    rmSync(folder, { recursive: true })
  })

  it('says who did what to which task, in order and without gaps', async () => {
    const { store, organizationId } = dispatch
    const by = { kind: 'key', id: 'k1', requestId: 'r1', ip: '127.0.0.1' } as const
    const found = await rows()
    expect(found.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3, 4, 5, 6, 7])
    expect(found.map(({ action }) => action).slice(0, 4)).to.deep.equal([
      'organization.create',
      'subscription.create',
      'task.create',
      'task.fail',
    ])
    await store.forOrganization(organizationId, by).subscriptions.remove(1, AT)
    expect((await rows()).at(-1)).to.include({
      action: 'subscription.delete',
      actor: 'key',
      actorId: 'k1',
      requestId: 'r1',
      ip: '127.0.0.1',
      subject: '1',
      taskId: null,
      organizationId,
      outcome: 'done',
      at: AT.toISOString(),
    })
    expect(await store.audit.verify()).to.deep.include({ rows: 8, fault: null })
  })

  it('has no row for a change that was refused or rolled back', async () => {
    const { store, organizationId } = dispatch
    const before = (await rows()).length
    const facts = { at: AT, eventId: crypto.randomUUID() }
    const refused = store.forOrganization(organizationId).tasks.change(1001, (task) => transition(task, 'sign', facts))
    expect(await refused.catch(({ name }) => name)).to.equal('Refusal')
    const broken = sign(store, 1001, { pdf: new Uint8Array(), sha256: '' }, facts)
    expect(await broken.catch(({ name }) => name)).to.equal('Refusal')
    expect(await rows()).to.have.length(before)
  })

  for (const [what, statement] of [
    ['who', "UPDATE audit SET actor_id = 'somebody' WHERE sequence = 3"],
    ['what', "UPDATE audit SET action = 'task.sign' WHERE sequence = 3"],
    ['when', "UPDATE audit SET at = '2020-01-01T00:00:00.000Z' WHERE sequence = 3"],
    ['which task', 'UPDATE audit SET task_id = 7 WHERE sequence = 3'],
    ['the first row', 'UPDATE audit SET task_id = 7 WHERE sequence = 1'],
    ['the hash', `UPDATE audit SET hash = '${'0'.repeat(64)}' WHERE sequence = 3`],
  ] as const)
    it(`shows that somebody changed ${what}`, async () => {
      tamper(statement)
      expect((await dispatch.store.audit.verify()).fault).to.match(/^row [13] was changed/)
    })

  it('shows that a row was removed, and that two were exchanged', async () => {
    tamper('DELETE FROM audit WHERE sequence = 3')
    expect((await dispatch.store.audit.verify()).fault).to.equal('row 3 is missing; after 2 comes 4')
    tamper('UPDATE audit SET sequence = 3 WHERE sequence = 4')
    expect((await dispatch.store.audit.verify()).fault).to.match(/^row 3 was changed/)
  })

  it('shows that the end was cut off only to who kept a head', async () => {
    const kept = await dispatch.store.audit.head()
    tamper('DELETE FROM audit WHERE sequence > 4')
    expect((await dispatch.store.audit.verify()).fault, 'a whole chain, only shorter').to.equal(null)
    expect((await dispatch.store.audit.verify(kept)).fault).to.match(/^the rows after 4, up to 7/)
    await dispatch.happensOften(3)
    expect((await dispatch.store.audit.verify()).fault).to.equal(null)
    expect((await dispatch.store.audit.verify(kept)).fault, 'written on after the cut').to.match(
      /^row 7 is not the one/,
    )
  })
})
