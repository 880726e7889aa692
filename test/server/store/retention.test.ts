/** What is removed of tasks that ended long ago, what stays, and that it is gone. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { claim, present, resolvePatient, sign, trigger } from '../../support/service/task-steps.ts'
import { aPostgres, query, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'
import { AT, facts, later, newTask, organization, PDF, pending, signer, storesIn } from './stores-in.ts'

const DAY = 24 * 60 * 60
const NOW = later(40 * DAY)
const CUTOFF = later(30 * DAY)

describe('The retention of contents', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  before(async () => {
    postgres = await aPostgres()
  })
  after(() => postgres?.stop())

  const inFolder = async () => {
    const data = aFolder()
    return {
      data,
      query: async (sql: string) => {
        const database = new DatabaseSync(join(data, 'countersign.sqlite'))
        try {
          return database.prepare(sql).all()
        } finally {
          database.close()
        }
      },
      everything: async () => Buffer.concat(readdirSync(data).map((file) => readFileSync(join(data, file)))),
    }
  }
  const inPostgres = async () => {
    const data = await postgres!.database()
    return { data, query: (sql: string) => query(data, sql), everything: async () => Buffer.alloc(0) }
  }

  for (const [name, place] of [
    ['SQLite', inFolder],
    ['PostgreSQL', inPostgres],
  ] as const)
    describe(`in ${name}`, () => {
      const stores = storesIn(place)

      it('removes documents and patients of what ended before, and writes down each', async () => {
        const store = await stores.open()
        const [sender, practice] = [await organization(store), await signer(store)]
        await store.documentTypes.create({ id: 104, name: 'Order', category: 'Order' }, AT)
        const ended: number[] = []
        for (const end of ['sign', 'reject', 'retract', 'cancel', 'sign'] as const) {
          const taskId = await pending(store, sender, practice)
          if (end === 'sign') await sign(store, taskId, { pdf: PDF, sha256: '00' }, facts())
          else await trigger(store, taskId, end, facts())
          ended.push(taskId)
        }
        await store.outbox.fanOut(AT, 100)
        while (await store.retention.removeContents(CUTOFF, NOW));
        while (await store.retention.removePatients(CUTOFF, NOW));

        expect(await stores.count('document')).to.equal(0)
        expect(await stores.count('patient')).to.equal(0)
        const { tasks } = store.forOrganization(sender)
        const listed = await tasks.list({ limit: 10 })
        expect(listed.map(({ id }) => id)).to.deep.equal(ended.toReversed())
        expect(listed[0]).to.include({ status: 'Completed', externalDocId: 'DOC-1' })
        expect(await store.overview(null).find(ended[0]!)).to.include({
          patient: null,
          clinicalDate: null,
          contentsRemovedAt: NOW.toISOString(),
        })
        const rows = []
        for await (const row of store.audit.rows()) if (row.action.includes('remove')) rows.push(row)
        expect(rows.map(({ action, taskId }) => [action, taskId])).to.deep.equal([
          ...ended.map((taskId) => ['task.remove-contents', taskId]),
          ['patient.remove', null],
        ])
        expect((await store.audit.verify()).fault).to.equal(null)
      })

      it('keeps what changed later, what is under way, and what a subscriber has not been told of', async () => {
        const store = await stores.open()
        const [sender, practice] = [await organization(store), await signer(store)]
        await store.documentTypes.create({ id: 104, name: 'Order', category: 'Order' }, AT)
        const waiting = await pending(store, sender, practice)
        const recent = await pending(store, sender, practice)
        await trigger(store, recent, 'reject', { ...facts(), at: CUTOFF })
        await store.outbox.fanOut(AT, 100)
        const untold = await pending(store, sender, practice)
        await trigger(store, untold, 'reject', facts())
        const remove = async () => {
          await store.retention.removeContents(CUTOFF, NOW)
          await store.retention.removePatients(CUTOFF, NOW)
          return stores.count('document')
        }
        expect(await remove()).to.equal(3)
        const { subscriptions } = store.forOrganization(sender)
        await subscriptions.create('https://receiver.example.org/', null, Buffer.alloc(32), AT)
        await store.outbox.fanOut(AT, 100)
        expect(await remove(), 'while its delivery waits').to.equal(3)
        await stores.place().query("UPDATE delivery SET state = 'delivered'")
        expect(await remove()).to.equal(2)
        expect(await stores.count('patient'), 'of the others').to.equal(1)
        for (const taskId of [waiting, recent])
          expect((await store.overview(null).find(taskId))?.patient, `task ${taskId}`).to.be.an('object')
      })

      it('knows a patient anew after it was removed', async () => {
        const store = await stores.open()
        const [sender, practice] = [await organization(store), await signer(store)]
        await trigger(store, await pending(store, sender, practice), 'reject', facts())
        await store.outbox.fanOut(AT, 100)
        await store.retention.removeContents(CUTOFF, NOW)
        await store.retention.removePatients(CUTOFF, NOW)
        await store.forOrganization(sender).tasks.create(newTask(), NOW)
        const [claimed] = await claim(store, NOW, later(41 * DAY), 1)
        const match = await resolvePatient(store, claimed!, NOW)
        if (match.outcome !== 'known') throw new Error(match.outcome)
        await present(
          store,
          claimed!,
          { patientId: match.patientId, routedTo: practice, routedBy: 'primary' as const, fields: [] },
          facts(),
        )
        expect(await stores.count('patient')).to.equal(1)
      })
    })

  it('leaves nothing of a document in the files of SQLite', async () => {
    const [data, key] = [join(aFolder(), 'data'), Buffer.alloc(32, 3).toString('base64')]
    mkdirSync(data, { mode: 0o700 })
    const first = await aService({ data, masterKey: key })
    const taskId = await signed(first)
    await first.stop()
    const database = new DatabaseSync(join(data, 'countersign.sqlite'))
    const sealed = database.prepare('SELECT sealed FROM document').all() as { sealed: Uint8Array }[]
    // From the middle of each, where no page of the database ends.
    const pieces = sealed.map((row) => Buffer.from(row.sealed.slice(row.sealed.length >> 1).slice(0, 24)))
    database.exec("UPDATE task SET updated_at = '2026-01-01T00:00:00.000Z'")
    database.exec("UPDATE patient SET updated_at = '2026-01-01T00:00:00.000Z'")
    database.exec("UPDATE delivery SET state = 'delivered'")
    database.close()
    const everything = () => Buffer.concat(readdirSync(data).map((file) => readFileSync(join(data, file))))
    expect(pieces).to.have.length(2)
    for (const piece of pieces) expect(everything().includes(piece)).to.equal(true)

    const second = await aService({ data, masterKey: key, retain: 1 })
    try {
      const path = `/api/v1/signature/tasks/${taskId}`
      await eventually(async () => {
        for (const piece of pieces) expect(everything().includes(piece)).to.equal(false)
        const { status, errors } = await second.ask('GET', `${path}?includeOutputAttachment=true`, { key: first.key })
        expect(status).to.equal(404)
        expect(errors[0]).to.match(
          /^The signed PDF of task \d+ was removed on 20\d\d-\d\d-\d\d, as the operator has set\./,
        )
      })
      expect((await second.ask('GET', path, { key: first.key })).body).to.include({ taskId, status: 'Completed' })
    } finally {
      await second.stop()
    }
  })
})

async function signed(service: TestService): Promise<number> {
  const taskId = await service.create(aCreateBody())
  await service.reaches(taskId, 'Pending')
  await service.signs(taskId)
  return taskId
}
