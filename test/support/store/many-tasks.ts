/**
 * A store with as many tasks as are asked for. The first few hundred are of every kind in turn, all of one sender and one
 * signer, so that each filter fills a page in a small store and a large one alike; the others are as a year of work leaves
 * them. Left out is what no list reads: documents, patients, attempts, and audit entries of single tasks.
 */
import type { DeliveryState } from '../../../server/domain/delivery/attempt.ts'
import type { StoreContext } from '../../../server/store/context.ts'
import { storeKeys } from '../../../server/store/keepsakes/store-keys.ts'
import { createCipher } from '../../../server/store/sealing/cipher.ts'
import { openDatabase } from '../../../server/store/sql/database.ts'
import { realPatience } from '../../../server/store/sql/patience.ts'
import { openStore } from '../../../server/store/store.ts'
import type { TaskRequest } from '../../../server/store/tasks/task-row.ts'
import { type Random, randomFrom } from '../random.ts'
import { aCreateBody } from '../service/a-create-body.ts'
import { bulkWriter } from './bulk-writer.ts'
import { type Kind, type PlannedTask, type Row, rowsOf } from './rows-of-a-task.ts'

export const MASTER_KEY = new Uint8Array(32).fill(7)

/** Of the tasks of every kind, and of half of the others. */
export const SENDER = 1
export const SIGNER_NPI = npiOf(0)

const SENDERS = 20
const SIGNERS = 200
export const EACH_KIND = 30
const ROWS_AT_ONCE = 5_000

/** With their share of a year's tasks, in a thousand. */
const kinds: readonly (Kind & { share: number })[] = [
  { status: 'Received', share: 1 },
  { status: 'Processing', share: 1 },
  { status: 'Processing', inReview: true, share: 1 },
  { status: 'Pending', share: 50 },
  { status: 'Failed', share: 30 },
  { status: 'Cancelled', share: 7 },
  ...(['Rejected', 'Retracted', 'Completed'] as const).flatMap((status) => {
    const all = status === 'Completed' ? 830 : 40
    return [
      { status, share: all * 0.1 },
      { status, isFiled: true, share: all * 0.3 },
      { status, isArchived: true, share: all * 0.01 },
      { status, isArchived: true, isFiled: true, share: all * 0.59 },
    ]
  }),
]
/** How many kinds of tasks there are. */
export const TASK_KINDS = kinds.length
const states: readonly { state: DeliveryState; share: number }[] = [
  { state: 'waiting', share: 2 },
  { state: 'failed', share: 10 },
  { state: 'cancelled', share: 5 },
  { state: 'delivered', share: 983 },
]

/** @param data a new, empty place, as of `--data`. */
export async function manyTasks(data: string, masterKey: Uint8Array, count: number): Promise<void> {
  await makeDirectory(data, masterKey)
  const random = randomFrom(1)
  await writeTasks(data, masterKey, count, (n) => planned(n, random))
}

/** Writes tasks into a store without any, which no service has open. Its directory has what they name. */
export async function writeTasks(
  data: string,
  masterKey: Uint8Array,
  count: number,
  plan: (n: number) => PlannedTask,
): Promise<void> {
  const cipher = createCipher(masterKey)
  const patience = realPatience()
  const database = await openDatabase({ data, connections: 1, patience }, cipher)
  const { index, chain, rows: macs } = await storeKeys({ ...database, cipher, patiently: patience.patiently })
  await database.close()
  const context: StoreContext = {
    ...database,
    chain,
    rows: macs,
    cipher: cipher.indexedBy(index),
    patiently: patience.patiently,
    bucket: null,
    newDocumentsIn: 'database',
    fetch: () => Promise.reject(new Error('There is no bucket.')),
    announce: () => {},
  }
  const writer = await bulkWriter(data)
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const tables = new Map<string, Row[]>()
    for (let n = from; n < Math.min(count, from + ROWS_AT_ONCE); n++)
      for (const [table, row] of rowsOf(context, plan(n), request)) {
        const rows = tables.get(table) ?? []
        rows.push(row)
        tables.set(table, rows)
      }
    for (const [table, rows] of tables) await writer.write(table, rows)
  }
  await writer.close()
}

function planned(n: number, random: Random): PlannedTask {
  if (n < kinds.length * EACH_KIND) {
    const deliveryState = states[Math.floor(n / kinds.length) % states.length]!.state
    return { n, kind: kinds[n % kinds.length]!, organizationId: SENDER, signerNpi: SIGNER_NPI, deliveryState }
  }
  return {
    n,
    kind: byShare(kinds, random),
    organizationId: random.isSo() ? SENDER : 1 + random.below(SENDERS),
    signerNpi: random.isSo(0.1) ? SIGNER_NPI : npiOf(random.below(SIGNERS)),
    deliveryState: byShare(states, random).state,
  }
}

function byShare<T extends { share: number }>(choices: readonly T[], random: Random): T {
  const all = choices.reduce((sum, { share }) => sum + share, 0)
  let left = random.below(all * 1000) / 1000
  for (const choice of choices) {
    left -= choice.share
    if (left < 0) return choice
  }
  return choices[0]!
}

/** Organizations with a subscription each, providers, and a document type. */
async function makeDirectory(data: string, masterKey: Uint8Array): Promise<void> {
  const store = await openStore(data, masterKey)
  const at = new Date(0)
  for (let n = 1; n <= SENDERS; n++) {
    const id = await store.organizations.create(
      { name: `Sender ${n}`, npi: null, addresses: [], ingestionEnabled: true },
      at,
    )
    await store.forOrganization(id).subscriptions.create('https://ehr.example.org/', null, Buffer.alloc(32), at)
  }
  for (let n = 0; n < SIGNERS; n++) {
    const name = { firstName: 'Ruth', lastName: `Calder ${n}`, signingName: `Ruth Calder ${n}` }
    await store.providers.create({ npi: npiOf(n), ...name, isActive: true, script: null, organizationIds: [1] }, at)
  }
  await store.documentTypes.create({ name: 'Order', category: 'Order' }, at)
  await store.close()
}

function npiOf(n: number): string {
  return String(9_000_000_000 + n)
}

const { patient, performers, document } = aCreateBody()
const request: TaskRequest = {
  patient,
  performer: performers[0]!,
  effectiveDate: document.effectiveDate,
  diagnosisCode: null,
  annotations: document.annotations,
}
