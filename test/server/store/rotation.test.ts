/** Another master key: what was sealed under the old one is found again, brought under the new one, and sent as it was. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { OPERATOR, SERVICE } from '../../../server/domain/audit.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { countersign } from '../../support/service/served.ts'
import { AT, aPlantedStore, KEY, PLANTED, TEMPLATE } from '../../support/store/a-planted-store.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const newKey = new Uint8Array(32).fill(2)
const text = (key: Uint8Array) => Buffer.from(key).toString('base64')
const environment = { COUNTERSIGN_MASTER_KEY: text(newKey), COUNTERSIGN_OLD_MASTER_KEYS: text(KEY) }

/** What the dispatcher would send, and with which secret; it can be asked again. */
async function toSend({ outbox }: Store) {
  await outbox.fanOut(AT, 10)
  const choose = () => [{ subscriptionId: 1, lane: 'first', limit: 9 }] as const
  const claimed = await outbox.claim({ at: AT, leaseUntil: AT, lease: 'l', choose })
  return claimed.map(({ eventId, body, secrets }) => ({
    eventId,
    body: body.toString(),
    secrets: secrets.map((secret) => secret.toString()),
  }))
}

describe('a store under another master key', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-rotation-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is found again under a new master key when the old one is given too, and not without', async () => {
    const first = await aPlantedStore(folder, KEY)
    await first.store.close()
    const failure = await openStore(folder, newKey).catch((caught: Error) => caught.message)
    expect(failure).to.match(/another master key/)

    const store = await openStore(folder, newKey, KEY)
    const sender = store.forOrganization(first.sender.organizationId)
    const found = await sender.tasks.list({ externalDocId: PLANTED.externalDocId, limit: 10 })
    expect(found.map(({ id }) => id)).to.deep.equal([first.task.id])
    expect(found[0]).to.include({ externalSavedDocumentId: PLANTED.savedId, statusReason: PLANTED.reason })
    await store.close()
  })

  it('is brought under the new key by a command, beside a store that is open; then the old key is not needed any more', async () => {
    const first = await aPlantedStore(folder, KEY)
    const names = { firstName: 'Ruth', lastName: 'Calder', signingName: 'Ruth Calder DO' }
    await first.store.providers.create(
      {
        ...names,
        npi: '9999900043',
        isActive: true,
        script: null,
        organizationIds: [],
      },
      AT,
    )
    await first.store.forSigner('9999900043', SERVICE).keepSignature(Buffer.from('drawn'), AT)
    const before = await toSend(first.store)
    const rotated = await countersign(['master-key', 'rotate', '--data', folder], environment)
    expect(rotated.stderr).to.equal('')
    expect(JSON.parse(rotated.stdout).rewrapped).to.be.above(8)
    const again = await countersign(['master-key', 'rotate', '--data', folder], environment)
    expect(JSON.parse(again.stdout)).to.deep.equal({ rewrapped: 0 })
    await first.store.close()

    const store = await openStore(folder, newKey)
    const [found] = await store.forOrganization(first.sender.organizationId).tasks.list({ limit: 1 })
    expect(found).to.include({ externalDocId: PLANTED.externalDocId, statusReason: PLANTED.reason })
    expect((await store.ingestion.receivedPdf(first.task.id))?.toString()).to.equal(PLANTED.pdf)
    expect((await store.forSigner('9999900043', SERVICE).signature())?.toString()).to.equal('drawn')
    const { subscriptions, templates } = store.forOrganization(first.sender.organizationId)
    expect((await subscriptions.list())[0]).to.include({ url: PLANTED.redirected, description: PLANTED.description })
    expect((await templates.list())[0]).to.deep.include(TEMPLATE)
    expect((await store.audit.verify()).fault).to.equal(null)
    const after = await toSend(store)
    expect(after, 'the same bytes').to.deep.equal(before)
    const both = [PLANTED.secret, PLANTED.nextSecret]
    expect(after.map(({ secrets }) => secrets)).to.deep.equal([both, both])
    await store.close()
  })

  it('still asks for the old key after a rotation that did not come to its end', async () => {
    await (await aPlantedStore(folder, KEY)).store.close()
    const database = new DatabaseSync(join(folder, 'countersign.sqlite'))
    database.prepare('UPDATE event SET sealed_body = zeroblob(200) WHERE sequence = 2').run()
    database.close()
    const rotated = await countersign(['master-key', 'rotate', '--data', folder], environment)
    expect(rotated.stderr).to.match(/another master key/)
    expect(rotated.code).to.equal(1)
    const failure = await openStore(folder, newKey).catch((caught: Error) => caught.message)
    expect(failure).to.match(/another master key/)
    await (await openStore(folder, newKey, KEY)).close()
  })
})

describe('a store in PostgreSQL under another master key', () => {
  let postgres: TestPostgres | undefined
  before(async function () {
    this.timeout(60_000)
    postgres = await aPostgres()
  })
  after(() => postgres?.stop())

  it('is brought under a new master key too, and found again', async () => {
    const first = await aPlantedStore(postgres!.url, KEY)
    await first.store.close()
    const both = await openStore(postgres!.url, newKey, KEY)
    expect(await both.rewrapAll(OPERATOR, AT)).to.be.above(8)
    expect(await both.rewrapAll(OPERATOR, AT)).to.equal(0)
    const rotations = []
    for await (const { action, actor } of both.audit.rows()) if (action === 'master-key.rotate') rotations.push(actor)
    expect(rotations).to.deep.equal(['operator', 'operator'])
    await both.close()
    const store = await openStore(postgres!.url, newKey)
    const sender = store.forOrganization(first.sender.organizationId)
    const [found] = await sender.tasks.list({ externalDocId: PLANTED.externalDocId, limit: 1 })
    expect(found).to.include({ statusReason: PLANTED.reason, externalSavedDocumentId: PLANTED.savedId })
    expect((await store.audit.verify()).fault).to.equal(null)
    await store.close()
  })
})
