/** A place for a store and what is put into it, for the suites that every store passes. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { BucketPlace } from '../../../server/domain/bucket-place.ts'
import { Refusal } from '../../../server/domain/refusal.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import type { NewTask } from '../../../server/store/tasks/new-task.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { claim, present, resolvePatient } from '../../support/service/task-steps.ts'

export interface Place {
  /** What `--data` would say. */
  data: string
  /** For documents; in the database when left out. */
  bucket?: BucketPlace
  /** One statement, beside the store. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Every byte that the database keeps. */
  everything(): Promise<Buffer>
}

export const AT = new Date('2026-01-15T09:30:00.000Z')
export const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)
export const LEASE = later(15)
export const PDF = Buffer.from('%PDF-1.7 a document that nobody may find in the clear: Xanthippe-Quillfeather')

export const facts = () => ({ at: AT, eventId: randomUUID() })
export const kindOf = (reason: unknown) => (reason instanceof Refusal ? reason.kind : String(reason))
export const organization = (store: Store, name = 'Willow Creek') =>
  store.organizations.create({ name, npi: null, addresses: [], ingestionEnabled: true }, AT)

export function newTask(change: Partial<NewTask> = {}): NewTask {
  const { patient, performers, document } = aCreateBody()
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
    receivedSha256: createHash('sha256').update(PDF).digest('hex'),
    preparations: [],
    ...change,
  }
}

/** The signer of `newTask`, and the id of the organization where she signs. */
export async function signer(store: Store): Promise<number> {
  const practice = await organization(store, 'Lakeside')
  const name = { firstName: 'Ruth', lastName: 'Calder', signingName: 'Ruth Calder DO' }
  const { userNPI: npi } = aCreateBody().performers[0]!.signer
  await store.providers.create({ npi, ...name, isActive: true, script: null, organizationIds: [practice] }, AT)
  return practice
}

/** A task that waits in the inbox of its signer. */
export async function pending(
  store: Store,
  organizationId: number,
  routedTo: number,
  change: Partial<NewTask> = {},
): Promise<number> {
  const { id } = await store.forOrganization(organizationId).tasks.create(newTask(change), AT)
  const claimed = (await claim(store, AT, LEASE, 100)).find((task) => task.id === id)!
  const match = await resolvePatient(store, claimed, AT)
  if (match.outcome !== 'known') throw new Error(match.outcome)
  await present(
    store,
    claimed,
    { patientId: match.patientId, routedTo, routedBy: 'primary' as const, fields: [] },
    facts(),
  )
  return id
}

/** Registers what makes a new, empty place before each test and closes every handle on it afterwards. */
export function storesIn(place: () => Promise<Place>) {
  let at: Place
  let masterKey: Buffer
  const opened: Store[] = []
  beforeEach(async () => {
    at = await place()
    masterKey = randomBytes(32)
  })
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  const open = async (key = masterKey) => {
    const store = await openStore({ data: at.data, bucket: at.bucket }, key)
    opened.push(store)
    return store
  }
  return {
    open,
    /** Closes it before the test ends. */
    close: (store: Store) => opened.splice(opened.indexOf(store), 1)[0]!.close(),
    /** Two handles whose connections are all made already, so that what is started at once meets at once. */
    async twoProcesses() {
      const stores = [await open(), await open()]
      await Promise.all(stores.flatMap((store) => Array.from({ length: 10 }, () => store.ping())))
      return stores
    },
    count: async (sql: string) => Number((await at.query(`SELECT count(*) AS n FROM ${sql}`))[0]!.n),
    place: () => at,
    masterKey: () => masterKey,
  }
}
