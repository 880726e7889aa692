/** Documents in a bucket beside the database, on a real server: put before they are named, opened whole or not at all, removed after. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { OBJECT_REMOVAL_LEASE_MS, UNNAMED_OBJECT_LIFE_MS } from '../../../server/choices.ts'
import { OPERATOR, SERVICE } from '../../../server/domain/audit.ts'
import { StoreAway } from '../../../server/domain/store-refusals.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { aFolder } from '../../support/a-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { aMutingProxy } from '../../support/outages/a-muting-proxy.ts'
import { sign } from '../../support/service/task-steps.ts'
import { aBucket, type TestBucket } from '../../support/store/a-bucket.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'
import { migratedDatabase } from '../../support/store/postgres/kept-database.ts'
import { keptDatabases } from '../../support/store/postgres/kept-databases.ts'
import { keepsTheStoreContract } from './contract/store-contract.ts'
import { AT, facts, later, newTask, organization, PDF, type Place, pending, signer, storesIn } from './stores-in.ts'

const SIGNED = Buffer.from('%PDF-1.7 the same, signed')
const NPI = newTask().request.performer.signer.userNPI

/** Removes what is due, as the worker does. */
async function sweep({ objects }: Store, at: Date): Promise<number> {
  const leaseUntil = new Date(at.getTime() + OBJECT_REMOVAL_LEASE_MS)
  const names = await objects!.claim({ at, leaseUntil, limit: 100 })
  for (const name of names) await objects!.remove(name)
  return names.length
}

describe('Documents in object storage', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  let bucket: TestBucket
  before(async () => {
    postgres = await aPostgres()
  })
  const next = keptDatabases(() => postgres!.database(), migratedDatabase)
  after(() => postgres?.stop())
  beforeEach(async () => {
    bucket = await aBucket()
  })
  afterEach(() => bucket.stop())

  const inFolder = async (): Promise<Place> => {
    const data = aFolder()
    const file = join(data, 'countersign.sqlite')
    return {
      data,
      bucket: bucket.place,
      async query(sql) {
        const database = new DatabaseSync(file)
        try {
          return database.prepare(sql).all()
        } finally {
          database.close()
        }
      },
      everything: async () => Buffer.concat(readdirSync(data).map((name) => readFileSync(join(data, name)))),
    }
  }
  const inPostgres = async (): Promise<Place> => {
    const { url, query } = await next()
    return { data: url, bucket: bucket.place, query, everything: async () => Buffer.alloc(0) }
  }

  describe('beside SQLite, as in it', () => keepsTheStoreContract(inFolder))

  for (const [name, place] of [
    ['SQLite', inFolder],
    ['PostgreSQL', inPostgres],
  ] as const)
    describe(`beside ${name}`, () => {
      const stores = storesIn(place)

      async function aSignedTask(store: Store) {
        await store.documentTypes.create({ id: 104, name: 'Order', category: 'Order' }, AT)
        const [sender, practice] = [await organization(store), await signer(store)]
        const taskId = await pending(store, sender, practice)
        await sign(store, taskId, { pdf: SIGNED, sha256: '00' }, facts())
        return { sender, practice, taskId }
      }
      const objectOf = async (taskId: number, kind: string) =>
        (await stores.place().query(`SELECT object FROM document WHERE task_id = ${taskId} AND kind = '${kind}'`))[0]!
          .object as string

      it('are sealed, under names that tell nothing, and given back as they were', async () => {
        const store = await stores.open()
        const { sender, taskId } = await aSignedTask(store)
        expect(bucket.names()).to.have.length(2)
        for (const name of bucket.names()) {
          expect(name).to.match(/^[0-9a-f]{48}$/)
          expect(bucket.bytesOf(name).includes('PDF')).to.equal(false)
        }
        const { tasks } = store.forOrganization(sender)
        expect(await tasks.signedPdf(taskId, AT)).to.deep.equal(SIGNED)
        expect(await store.ingestion.receivedPdf(taskId)).to.deep.equal(PDF)
        expect(await stores.count('unnamed_object')).to.equal(0)
        const [row] = await stores.place().query("SELECT length(sealed) AS n FROM document WHERE kind = 'signed'")
        expect(Number(row!.n), 'its wrapped key alone').to.equal(69)
      })

      it('are read where they are, whatever the setting is now', async () => {
        const before = await openStore(stores.place().data, stores.masterKey())
        const first = await aSignedTask(before)
        await before.close()
        expect(bucket.names()).to.deep.equal([])
        const store = await stores.open()
        const second = await pending(store, first.sender, first.practice, { externalDocId: 'DOC-2' })
        await store.close()
        expect(bucket.names()).to.have.length(1)
        const place = { ...stores.place(), newDocumentsIn: 'database' } as const
        const switchedOff = await openStore(place, stores.masterKey())
        const third = await pending(switchedOff, first.sender, first.practice, { externalDocId: 'DOC-3' })
        expect(bucket.names()).to.have.length(1)
        for (const id of [first.taskId, second, third])
          expect(await switchedOff.ingestion.receivedPdf(id)).to.deep.equal(PDF)
        await switchedOff.close()
      })

      it('are refused when they were swapped, cut off or taken away', async () => {
        const store = await stores.open()
        const { sender, taskId } = await aSignedTask(store)
        const { tasks } = store.forOrganization(sender)
        const [signed, received] = [await objectOf(taskId, 'signed'), await objectOf(taskId, 'received')]
        const problem = () => tasks.signedPdf(taskId, AT).catch((failure: Error) => failure.message)
        bucket.swap(signed, received)
        expect(await problem()).to.match(/authenticate data/)
        bucket.swap(signed, received)
        expect(await tasks.signedPdf(taskId, AT)).to.deep.equal(SIGNED)
        bucket.cut(signed)
        expect(await problem()).to.match(/authenticate data/)
        await stores.place().query(`UPDATE document SET object = '00' WHERE kind = 'signed'`)
        expect(await problem()).to.equal('The object of a document is not in the bucket.')
      })

      it('is a name on a list first, so that what was put and never named is removed', async () => {
        const store = await stores.open()
        const { sender, taskId } = await aSignedTask(store)
        // The same signature again: it is refused after its document was put.
        const again = await sign(store, taskId, { pdf: SIGNED, sha256: '00' }, facts()).catch(({ kind }) => kind)
        expect(again).to.equal('conflict')
        expect(bucket.names()).to.have.length(3)
        expect(await sweep(store, later(UNNAMED_OBJECT_LIFE_MS / 1000 - 1)), 'too early').to.equal(0)
        expect(await sweep(store, later(UNNAMED_OBJECT_LIFE_MS / 1000))).to.equal(1)
        expect(bucket.names()).to.have.members([await objectOf(taskId, 'signed'), await objectOf(taskId, 'received')])
        expect(await stores.count('unnamed_object')).to.equal(0)
        expect(await store.forOrganization(sender).tasks.signedPdf(taskId, AT)).to.deep.equal(SIGNED)
      })

      it('names nothing that another process has begun to remove', async () => {
        const store = await stores.open()
        const { sender } = await aSignedTask(store)
        const proxy = await aMutingProxy(Number(new URL(bucket.place.endpoint).port))
        const place = { ...bucket.place, endpoint: `http://127.0.0.1:${proxy.port}` }
        const slow = await openStore({ data: stores.place().data, bucket: place }, stores.masterKey())
        proxy.treat('PUT ', 'kept back')
        const creating = slow
          .forOrganization(sender)
          .tasks.create(newTask({ externalDocId: 'DOC-2' }), AT)
          .catch((failure: Error) => failure)
        await eventually(() => expect(bucket.names()).to.have.length(3))
        expect(await sweep(store, later(24 * 60 * 60))).to.equal(1)
        proxy.treat(null)
        const create = await creating
        await slow.close()
        await proxy.close()
        expect(create).to.be.instanceOf(StoreAway)
        expect(await stores.count('task')).to.equal(1)
      })

      it('are removed with the contents of a task, and with all of a sandbox', async () => {
        const store = await stores.open()
        const { sender, practice, taskId } = await aSignedTask(store)
        await store.outbox.fanOut(AT, 100)
        while (await store.retention.removeContents(later(60), later(120)));
        expect(bucket.names(), 'in a while').to.have.length(2)
        expect(await sweep(store, later(180))).to.equal(2)
        expect(bucket.names()).to.deep.equal([])
        expect(await store.forOrganization(sender).tasks.signedPdf(taskId, AT)).to.equal(null)

        await pending(store, sender, practice, { externalDocId: 'DOC-2' })
        await store.reset(sender, OPERATOR, AT)
        expect(await sweep(store, later(60))).to.equal(1)
        expect(bucket.names()).to.deep.equal([])
      })

      it('are still there to remove after a removal that failed', async () => {
        const store = await stores.open()
        const { sender } = await aSignedTask(store)
        await store.reset(sender, OPERATOR, AT)
        await bucket.stop()
        expect(await sweep(store, later(60)).catch((failure) => failure)).to.be.instanceOf(StoreAway)
        await bucket.start()
        expect(await sweep(store, later(60)), 'under a lease').to.equal(0)
        expect(await sweep(store, later(60 + OBJECT_REMOVAL_LEASE_MS / 1000))).to.equal(2)
        expect(bucket.names()).to.deep.equal([])
      })

      it('come under a new master key by their rows alone', async () => {
        const store = await stores.open()
        const { sender, taskId } = await aSignedTask(store)
        const newKey = randomBytes(32)
        const rotating = await openStore(stores.place(), newKey, stores.masterKey())
        const bytes = bucket.names().map((name) => bucket.bytesOf(name).toString('hex'))
        expect(await rotating.rewrapAll(OPERATOR, AT)).to.be.above(2)
        await rotating.close()
        expect(bucket.names().map((name) => bucket.bytesOf(name).toString('hex'))).to.deep.equal(bytes)
        const under = await openStore(stores.place(), newKey)
        expect(await under.forOrganization(sender).tasks.signedPdf(taskId, AT)).to.deep.equal(SIGNED)
        await under.close()
      })

      it('are neither noted as read nor as shown while the storage is away', async () => {
        const store = await stores.open()
        const { sender, practice, taskId } = await aSignedTask(store)
        const waits = await pending(store, sender, practice, { externalDocId: 'DOC-2' })
        await bucket.stop()
        const inbox = store.forSigner(NPI, SERVICE)
        const audited = () => stores.count("audit WHERE action = 'document.read'")
        expect(await inbox.waitingPdf(waits, AT).catch((failure) => failure)).to.be.instanceOf(StoreAway)
        const download = store.forOrganization(sender).tasks.signedPdf(taskId, AT)
        expect((await download.catch((failure) => failure)).errors).to.deep.equal([
          'The object storage does not answer. Nothing was changed; try again in 2 seconds.',
        ])
        expect(await audited()).to.equal(0)
        expect(await stores.count('inbox_request WHERE shown_at IS NOT NULL')).to.equal(0)
        await bucket.start()
        expect(await inbox.waitingPdf(waits, AT)).to.deep.equal(PDF)
        expect(await audited()).to.equal(1)
      })
    })
})
