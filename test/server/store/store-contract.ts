/** What the service expects of its store, as tests over a place to keep it: SQLite and PostgreSQL pass the same. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Refusal } from '../../../server/domain/refusal.ts'
import { transition } from '../../../server/domain/task.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import type { NewTask } from '../../../server/store/tasks.ts'
import { aTask } from '../../support/a-task.ts'

export interface Place {
  /** What `--data` would say. */
  data: string
  /** One statement, beside the store. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Every byte that the database keeps. */
  everything(): Promise<Buffer>
}

const AT = new Date('2026-01-15T09:30:00.000Z')
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)
const LEASE = later(15)
const PDF = Buffer.from('%PDF-1.7 a document that nobody may find in the clear: Xanthippe-Quillfeather')

/** `place` is new and empty for each test. Two handles on it stand for two processes. */
export function keepsTheStoreContract(place: () => Promise<Place>): void {
  let at: Place
  let masterKey: Buffer
  const opened: Store[] = []
  const open = async (key = masterKey) => {
    const store = await openStore(at.data, key)
    opened.push(store)
    return store
  }
  /** Two handles whose connections are all made already, so that what is started at once meets at once. */
  const twoProcesses = async () => {
    const stores = [await open(), await open()]
    await Promise.all(stores.flatMap((store) => Array.from({ length: 10 }, () => store.ping())))
    return stores
  }
  beforeEach(async () => {
    at = await place()
    masterKey = randomBytes(32)
  })
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  const facts = () => ({ at: AT, eventId: randomUUID() })
  const organization = (store: Store, name = 'Willow Creek') =>
    store.organizations.create({ name, npi: null, addresses: [], ingestionEnabled: true }, AT)
  const newTask = (change: Partial<NewTask> = {}): NewTask => {
    const { patient, performers, document } = aTask()
    return {
      request: {
        patient,
        performer: performers[0]!,
        effectiveDate: document.effectiveDate,
        diagnosisCode: null,
        annotations: document.annotations,
      },
      externalDocId: 'DOC-1',
      documentTypeId: 104,
      templateId: null,
      pdf: PDF,
      sha256: createHash('sha256').update(PDF).digest('hex'),
      ...change,
    }
  }
  async function signer(store: Store): Promise<number> {
    const practice = await organization(store, 'Lakeside')
    const name = { firstName: 'Ruth', lastName: 'Calder', signingName: 'Ruth Calder DO' }
    const { userNPI: npi } = aTask().performers[0]!.signer
    await store.providers.create({ npi, ...name, isActive: true, script: null, organizationIds: [practice] })
    return practice
  }
  /** A task that waits in the inbox of its signer. */
  async function pending(store: Store, organizationId: number, routedTo: number): Promise<number> {
    const { id } = await store.forOrganization(organizationId).tasks.create(newTask(), AT)
    const claimed = (await store.ingestion.claim(AT, LEASE, 100)).find((task) => task.id === id)!
    const match = await store.ingestion.resolvePatient(claimed, AT)
    if (match.outcome !== 'known') throw new Error(match.outcome)
    await store.ingestion.present(claimed, { patientId: match.patientId, routedTo, fields: [] }, facts())
    return id
  }
  const count = async (sql: string) => Number((await at.query(`SELECT count(*) AS n FROM ${sql}`))[0]!.n)
  const kindOf = (reason: unknown) => (reason instanceof Refusal ? reason.kind : String(reason))

  it('migrates once: opened again, and twice at the same moment, it has what it had', async () => {
    const [first, second] = await Promise.all([open(), open()])
    const id = await organization(first)
    expect((await second.organizations.find(id))?.name).to.equal('Willow Creek')
    await first.close()
    opened.splice(opened.indexOf(first), 1)
    const third = await open()
    expect((await third.organizations.find(id))?.name).to.equal('Willow Creek')
  })

  it('refuses another master key with a sentence that says what to do, and is unharmed', async () => {
    const store = await open()
    await store.keepsake('seal', AT, async () => ({ secret: 1 }))
    const failure = await openStore(at.data, randomBytes(32)).catch((reason: Error) => reason.message)
    expect(failure).to.equal(
      'The store was written with another master key. Give the service the key it was created with.',
    )
    expect(await (await open()).keepsake('seal', AT, async () => ({ secret: 2 }))).to.deep.equal({ secret: 1 })
  })

  it('makes a keepsake once, however many processes start at once', async () => {
    const stores = await twoProcesses()
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => stores[index % 2]!.keepsake('seal', AT, async () => ({ index }))),
    )
    expect(new Set(made.map(({ index }) => index)).size).to.equal(1)
  })

  it('shows a sender its own tasks and nobody else’s', async () => {
    const store = await open()
    const [mine, theirs] = [await organization(store), await organization(store, 'Northfield')]
    const { id } = await store.forOrganization(theirs).tasks.create(newTask(), AT)
    const { tasks } = store.forOrganization(mine)
    expect(await tasks.find(id)).to.equal(null)
    expect(await tasks.signedPdf(id, AT)).to.equal(null)
    expect(await tasks.list({ limit: 10 })).to.deep.equal([])
    expect(await tasks.list({ limit: 10, externalDocId: 'DOC-1' })).to.deep.equal([])
    const outcomes = await Promise.allSettled([
      tasks.change(id, (task) => transition(task, 'cancel', facts())),
      tasks.recordOutcome(id, { externalSavedDocumentId: 'S' }, AT),
    ])
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && kindOf(outcome.reason))).to.deep.equal([
      'notFound',
      'notFound',
    ])
    expect((await store.forOrganization(theirs).tasks.find(id))?.status).to.equal('Received')
    expect(await count('saved_document')).to.equal(0)
  })

  it('lists and reads tasks without touching a document', async () => {
    const store = await open()
    const { tasks } = store.forOrganization(await organization(store))
    const { id } = await tasks.create(newTask(), AT)
    await at.query('ALTER TABLE document RENAME TO document_out_of_reach')
    expect((await tasks.list({ limit: 10 })).map((task) => task.id)).to.deep.equal([id])
    expect((await tasks.find(id))?.externalDocId).to.equal('DOC-1')
    const signed = await tasks.signedPdf(id, AT).then(
      () => 'read',
      () => 'out of reach',
    )
    expect(signed).to.equal('out of reach')
  })

  it('gives each due task to one worker of all processes, and again when the lease ended', async () => {
    const stores = await twoProcesses()
    const organizationId = await organization(stores[0]!)
    for (let n = 0; n < 20; n++) await stores[0]!.forOrganization(organizationId).tasks.create(newTask(), AT)
    const claim = (now: Date) =>
      Promise.all(
        Array.from({ length: 12 }, (_, n) => stores[n % 2]!.ingestion.claim(now, new Date(now.getTime() + 15_000), 3)),
      )
    const ids = (await claim(AT)).flat().map((task) => task.id)
    expect(ids).to.have.length(20)
    expect(new Set(ids).size).to.equal(20)
    expect((await claim(later(14))).flat()).to.deep.equal([])
    const again = (await claim(later(15))).flat()
    expect(new Set(again.map((task) => task.id)).size).to.equal(20)
    expect(again.every((task) => task.attempts === 2)).to.equal(true)
  })

  it('keeps a saved-document id unique under 50 concurrent calls of two processes', async () => {
    const stores = await twoProcesses()
    const [sender, practice] = [await organization(stores[0]!), await signer(stores[0]!)]
    const ids: number[] = []
    for (let n = 0; n < 5; n++) {
      const id = await pending(stores[0]!, sender, practice)
      await stores[0]!.forOrganization(sender).tasks.change(id, (task) => transition(task, 'retract', facts()))
      ids.push(id)
    }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        stores[n % 2]!.forOrganization(sender).tasks.recordOutcome(
          ids[n % 5]!,
          { externalSavedDocumentId: 'SAVED' },
          AT,
        ),
      ),
    )
    const kinds = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'recorded' : kindOf(outcome.reason)))
    expect(kinds.filter((kind) => kind === 'recorded')).to.have.length(1)
    expect(kinds.filter((kind) => kind === 'invalid')).to.have.length(49)
    const { tasks } = stores[0]!.forOrganization(sender)
    expect(await tasks.list({ limit: 10, externalSavedDocumentIds: ['SAVED'] })).to.have.length(1)
  })

  it('lets one of many simultaneous triggers win, with one event, over two processes', async () => {
    const stores = await twoProcesses()
    const [sender, practice] = [await organization(stores[0]!), await signer(stores[0]!)]
    const id = await pending(stores[0]!, sender, practice)
    const before = await count('event')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => {
        const store = stores[n % 2]!
        if (n % 3 === 0) return store.inbox.sign('service', id, { pdf: PDF, sha256: '00' }, facts())
        if (n % 3 === 1) return store.inbox.reject('service', id, facts())
        return store.forOrganization(sender).tasks.change(id, (task) => transition(task, 'retract', facts()))
      }),
    )
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [kindOf(outcome.reason)] : []))
    expect(lost).to.deep.equal(Array(11).fill('conflict'))
    expect(await count('event')).to.equal(before + 1)
    const { status } = (await stores[0]!.forOrganization(sender).tasks.find(id))!
    expect(await count("document WHERE kind = 'signed'")).to.equal(status === 'Completed' ? 1 : 0)
  })

  it('writes a change whole or not at all', async () => {
    const store = await open()
    const [sender, practice] = [await organization(store), await signer(store)]
    const id = await pending(store, sender, practice)
    const before = [await count('event'), await count('audit')]
    // A signed document that is there already makes the last statement of signing fail.
    await at.query(
      `INSERT INTO document (task_id, kind, sealed, sha256, bytes, created_at)
       SELECT task_id, 'signed', sealed, sha256, bytes, created_at FROM document WHERE task_id = ${id}`,
    )
    const outcome = await store.inbox.sign('service', id, { pdf: PDF, sha256: '00' }, facts()).then(
      () => 'signed',
      () => 'failed',
    )
    expect(outcome).to.equal('failed')
    expect((await store.forOrganization(sender).tasks.find(id))?.status).to.equal('Pending')
    expect([await count('event'), await count('audit')]).to.deep.equal(before)
  })

  it('presents a task once, when two workers bring it to the end', async () => {
    const stores = await twoProcesses()
    const [sender, practice] = [await organization(stores[0]!), await signer(stores[0]!)]
    await stores[0]!.forOrganization(sender).tasks.create(newTask(), AT)
    const [first] = await stores[0]!.ingestion.claim(AT, LEASE, 1)
    const [second] = await stores[1]!.ingestion.claim(later(20), later(40), 1)
    const match = await stores[0]!.ingestion.resolvePatient(first!, AT)
    if (match.outcome !== 'known') throw new Error(match.outcome)
    const placed = { patientId: match.patientId, routedTo: practice, fields: [] }
    const outcomes = await Promise.allSettled([
      stores[0]!.ingestion.present(first!, placed, facts()),
      stores[1]!.ingestion.present(second!, placed, facts()),
    ])
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [kindOf(outcome.reason)] : []))
    expect(lost).to.deep.equal(['conflict'])
    expect([await count('inbox_request'), await count('event')]).to.deep.equal([1, 1])
  })

  it('makes a patient once, when many tasks of the same one are resolved at once', async () => {
    const stores = await twoProcesses()
    const sender = await organization(stores[0]!)
    for (let n = 0; n < 10; n++) await stores[0]!.forOrganization(sender).tasks.create(newTask(), AT)
    const claimed = await stores[0]!.ingestion.claim(AT, LEASE, 10)
    const matches = await Promise.all(claimed.map((task, n) => stores[n % 2]!.ingestion.resolvePatient(task, AT)))
    expect(new Set(matches.map((match) => match.outcome === 'known' && match.patientId)).size).to.equal(1)
    expect(await count('patient')).to.equal(1)
  })

  it('makes one delivery of an event for each subscription, when two processes look at once', async () => {
    const stores = await twoProcesses()
    const [sender, practice] = [await organization(stores[0]!), await signer(stores[0]!)]
    const { subscriptions } = stores[0]!.forOrganization(sender)
    for (const url of ['https://one.example.org', 'https://two.example.org'])
      await subscriptions.create(url, null, randomBytes(32), AT)
    for (let n = 0; n < 4; n++) await pending(stores[0]!, sender, practice)
    await Promise.all(Array.from({ length: 8 }, (_, n) => stores[n % 2]!.outbox.fanOut(AT, 2)))
    while ((await stores[0]!.outbox.fanOut(AT, 2)) > 0);
    expect(await count('delivery')).to.equal(8)
  })

  it('seals what is private: no planted word stands in the clear anywhere', async () => {
    const planted = {
      family: 'Zebulon-Quagmire',
      given: 'Ottokar-Ludmilla',
      street: '4711 Nevermore Crescent',
      externalId: 'PLANTED-EXTERNAL-ID',
      document: 'PLANTED-DOC-ID',
      saved: 'PLANTED-SAVED-ID',
      reason: 'planted reason of a retract',
      text: 'planted text of a field',
    }
    const store = await open()
    const [sender, practice] = [await organization(store), await signer(store)]
    const { tasks, subscriptions } = store.forOrganization(sender)
    const secret = randomBytes(32)
    await subscriptions.create('https://one.example.org', null, secret, AT)
    const task = newTask({ externalDocId: planted.document })
    task.request.patient.names = [{ family: planted.family, given: [planted.given] }]
    task.request.patient.addresses = [{ line: planted.street, postalCode: '55802' }]
    task.request.patient.externalId = planted.externalId
    const { id } = await tasks.create(task, AT)
    const [claimed] = await store.ingestion.claim(AT, LEASE, 1)
    const match = await store.ingestion.resolvePatient(claimed!, AT)
    if (match.outcome !== 'known') throw new Error(match.outcome)
    const box = { left: 0, top: 0, right: 9, bottom: 9 }
    const fields = [{ page: 1, box, type: 'TextArea' as const, required: false, value: planted.text }]
    await store.ingestion.present(claimed!, { patientId: match.patientId, routedTo: practice, fields }, facts())
    await tasks.change(id, (state) => transition(state, 'retract', { ...facts(), reason: planted.reason }))
    await tasks.recordOutcome(id, { externalSavedDocumentId: planted.saved }, AT)
    await store.outbox.fanOut(AT, 10)

    const bytes = await at.everything()
    const words = [...Object.values(planted), 'Xanthippe-Quillfeather', '1948-03-12']
    expect(bytes.includes('https://one.example.org'), 'the search finds what is in the clear').to.equal(true)
    for (const word of words) expect(bytes.includes(word), word).to.equal(false)
    expect(bytes.includes(secret), 'the secret').to.equal(false)
    expect(bytes.includes(secret.toString('base64')), 'the secret as Base64').to.equal(false)
    expect(bytes.includes(masterKey), 'the master key').to.equal(false)
    expect((await tasks.find(id))?.externalSavedDocumentId, 'and it can be read').to.equal(planted.saved)
  })

  it('does not open a sealed value that was moved to another row', async () => {
    const store = await open()
    const { tasks } = store.forOrganization(await organization(store))
    const [one, two] = [await tasks.create(newTask(), AT), await tasks.create(newTask(), AT)]
    await at.query(
      `UPDATE task SET sealed_notes = (SELECT sealed_notes FROM task WHERE id = ${one.id}) WHERE id = ${two.id}`,
    )
    const outcome = await tasks.find(two.id).then(
      () => 'opened',
      () => 'closed',
    )
    expect(outcome).to.equal('closed')
  })
}
