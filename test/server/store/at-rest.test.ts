import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { SERVICE } from '../../../server/domain/audit.ts'
import { transition } from '../../../server/domain/task.ts'
import { createCipher } from '../../../server/store/cipher.ts'
import { SEALED } from '../../../server/store/rewrap.ts'
import { openStore } from '../../../server/store/store.ts'
import { aPostgres, type TestPostgres } from '../../support/a-postgres.ts'
import { createOverheard } from '../../support/a-service.ts'
import { countersign } from '../../support/served.ts'

const AT = new Date('2026-03-02T09:00:00.000Z')
const KEY = new Uint8Array(32).fill(1)
const PLANTED = {
  family: 'Zyxwhitfield',
  given: 'Zyxalma',
  birthDate: '1848-03-12',
  externalId: 'ZYX-PATIENT-1',
  line: 'Zyx Alder Street 1',
  phone: '999-555-0101-zyx',
  mrn: 'ZYXWC10001',
  diagnosisCode: 'ZYX-E11.9',
  externalDocId: 'ZYX-DOC-1',
  pdf: '%PDF-zyx-bytes-of-the-document',
  reason: 'Zyx reason of the retract',
  savedId: 'ZYX-SAVED-1',
  secret: 'zyx-secret-of-thirty-two-bytes!!',
} as const

async function filled(folder: string, ...keys: [Uint8Array, ...Uint8Array[]]) {
  const store = await openStore(folder, ...keys)
  const organization = { name: 'Willow', npi: null, addresses: [], ingestionEnabled: true }
  const sender = store.forOrganization(await store.organizations.create(organization, AT))
  await sender.subscriptions.create('https://ehr.example.org/', null, Buffer.from(PLANTED.secret), AT)
  const patient = {
    externalId: PLANTED.externalId,
    names: [{ use: 'official', family: PLANTED.family, given: [PLANTED.given] }],
    sex: 'Female' as const,
    birthDate: PLANTED.birthDate,
    addresses: [{ line: PLANTED.line, city: 'Duluth', state: 'MN', postalCode: '55802' }],
    telecoms: [{ system: 'phone', value: PLANTED.phone, use: 'home' }],
    identifiers: [{ authority: 'mrn' as const, value: PLANTED.mrn }],
  }
  const task = await sender.tasks.create(
    {
      request: {
        patient,
        performer: { signer: { userNPI: '9999900043' } },
        effectiveDate: '2026-03-02',
        diagnosisCode: PLANTED.diagnosisCode,
        annotations: { type: 'SmartAnnotations' },
      },
      externalDocId: PLANTED.externalDocId,
      documentTypeId: 1,
      templateId: null,
      pdf: Buffer.from(PLANTED.pdf),
      sha256: '0'.repeat(64),
    },
    AT,
  )
  const [claimed] = await store.ingestion.claim(AT, new Date(AT.getTime() + 1_000), 1)
  const found = await store.ingestion.resolvePatient(claimed!, AT)
  if (found.outcome !== 'known') throw new Error('A patient who is new is not to be reviewed.')
  const facts = (eventId: string) => ({ at: AT, eventId })
  const presentation = { patientId: found.patientId, routedTo: sender.organizationId, fields: [] }
  await store.ingestion.present(claimed!, presentation, facts(crypto.randomUUID()))
  await sender.tasks.change(task.id, (state) =>
    transition(state, 'retract', { ...facts(crypto.randomUUID()), reason: PLANTED.reason }),
  )
  await sender.tasks.recordOutcome(task.id, { externalSavedDocumentId: PLANTED.savedId }, AT)
  return { store, sender, task }
}

describe('what is kept at rest', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-rest-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('holds no patient, document, free text, sender id or secret in the clear, neither in the file nor in its log', async () => {
    const { store } = await filled(folder, KEY)
    const files = readdirSync(folder)
    expect(files).to.include('countersign.sqlite').and.to.include('countersign.sqlite-wal')
    const bytes = Buffer.concat(files.map((file) => readFileSync(join(folder, file))))
    expect(bytes.includes('Willow'), 'what is no secret is there to be found').to.equal(true)
    const encodings = (text: string) => [
      Buffer.from(text),
      Buffer.from(Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1)),
      Buffer.from(Buffer.from(text).toString('hex')),
    ]
    for (const [name, text] of Object.entries(PLANTED))
      for (const encoded of encodings(text)) expect(bytes.includes(encoded), name).to.equal(false)
    await store.close()
  })

  it('is found again under a new master key when the old one is given too, and not without', async () => {
    const first = await filled(folder, KEY)
    await first.store.close()
    const newKey = new Uint8Array(32).fill(2)
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
    const first = await filled(folder, KEY)
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
    const newKey = new Uint8Array(32).fill(2)
    const text = (key: Uint8Array) => Buffer.from(key).toString('base64')
    const environment = { COUNTERSIGN_MASTER_KEY: text(newKey), COUNTERSIGN_OLD_MASTER_KEYS: text(KEY) }
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
    await store.outbox.fanOut(AT, 10)
    const choose = () => [{ subscriptionId: 1, lane: 'first', limit: 9 }] as const
    const claimed = await store.outbox.claim({ at: AT, leaseUntil: AT, lease: 'l', choose })
    expect(claimed.map(({ secret }) => secret.toString())).to.deep.equal([PLANTED.secret, PLANTED.secret])
    await store.close()
  })

  it('knows every place where something sealed is kept', async () => {
    await (await openStore(folder, KEY)).close()
    const database = new DatabaseSync(join(folder, 'countersign.sqlite'))
    const blobs = database
      .prepare(`SELECT m.name || '.' || c.name AS place FROM sqlite_schema m, pragma_table_info(m.name) c
                WHERE m.type = 'table' AND lower(c.type) = 'blob' ORDER BY 1`)
      .all()
    database.close()
    const known = SEALED.map(({ table, column }) => `${table}.${column}`)
    expect(blobs.map(({ place }) => place)).to.deep.equal(known.sort())
  })

  it('does not open a value that was moved to another row', () => {
    const cipher = createCipher(KEY)
    const sealed = cipher.seal('secret', 'subscription/1/1')
    expect(cipher.open(sealed, 'subscription/1/1').toString()).to.equal('secret')
    expect(() => cipher.open(sealed, 'subscription/2/1')).to.throw()
    for (const index of [0, 5, 12, 40, 80, sealed.length - 1]) {
      const changed = Buffer.from(sealed)
      changed[index]! ^= 1
      expect(() => cipher.open(changed, 'subscription/1/1'), `byte ${index}`).to.throw()
    }
    expect(cipher.seal('secret', 'a').equals(cipher.seal('secret', 'a')), 'two seals of one value').to.equal(false)
  })

  it('makes its key file for a sandbox once, for its user alone', async () => {
    const start = () => createOverheard({ data: folder, sandbox: true, port: 0 })
    const service = await start()
    await service.start()
    await service.stop()
    const file = join(folder, 'master.key')
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    const made = readFileSync(file, 'utf8')
    const again = await start()
    await again.start()
    await again.stop()
    expect(readFileSync(file, 'utf8')).to.equal(made)
  })

  it('does not begin without a key outside of a sandbox', async () => {
    const { code, stderr, stdout } = await countersign(['serve', '--port', '0', '--data', folder])
    expect(stderr).to.match(/Set COUNTERSIGN_MASTER_KEY to 32 random bytes/)
    expect(stdout).to.equal('')
    expect(code).to.equal(1)
    expect(readdirSync(folder)).to.deep.equal([])
    const short = await countersign(['serve', '--port', '0', '--data', folder], { COUNTERSIGN_MASTER_KEY: 'c2hvcnQ=' })
    expect(short.stderr)
      .to.match(/must hold 32 bytes/)
      .and.not.to.contain('c2hvcnQ=')
  })
})

describe('what is kept at rest in PostgreSQL', () => {
  let postgres: TestPostgres | undefined
  before(async function () {
    this.timeout(60_000)
    postgres = await aPostgres()
  })
  after(() => postgres?.stop())

  it('is brought under a new master key too, and found again', async () => {
    const first = await filled(postgres!.url, KEY)
    await first.store.close()
    const newKey = new Uint8Array(32).fill(2)
    const both = await openStore(postgres!.url, newKey, KEY)
    expect(await both.rewrapAll()).to.be.above(8)
    expect(await both.rewrapAll()).to.equal(0)
    await both.close()
    const store = await openStore(postgres!.url, newKey)
    const sender = store.forOrganization(first.sender.organizationId)
    const [found] = await sender.tasks.list({ externalDocId: PLANTED.externalDocId, limit: 1 })
    expect(found).to.include({ statusReason: PLANTED.reason, externalSavedDocumentId: PLANTED.savedId })
    expect((await store.audit.verify()).fault).to.equal(null)
    await store.close()
  })
})
