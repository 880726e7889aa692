/**
 * Every read that the interface and the pages offer, with every set of up to three of its filters, and those of the workers,
 * against a store of `manyTasks`. The rows are those of the tables, so none can be forgotten, and a filter without a value here
 * is an error.
 */

import { defaultProfile } from '../../../lib/profile/parse-profile.ts'
import { FIRST_TASK_ID } from '../../../server/choices.ts'
import { Refusal } from '../../../server/domain/refusal.ts'
import { readSearch } from '../../../server/domain/task/search-words.ts'
import { operator } from '../../../server/operations/operator/table.ts'
import type { Row, Table } from '../../../server/operations/row.ts'
import { sender } from '../../../server/operations/sender/table.ts'
import type { SignerContext } from '../../../server/operations/signer/signer-context.ts'
import { signer } from '../../../server/operations/signer/table.ts'
import type { DeliveryFilter } from '../../../server/store/delivery/delivery-filter.ts'
import type { Store } from '../../../server/store/store.ts'
import { EACH_KIND, SENDER, SIGNER_NPI, TASK_KINDS } from './many-tasks.ts'
import { birthDateOf, externalDocId, familyOf, savedDocumentId, timeOf } from './rows-of-a-task.ts'

export interface Read {
  /** The row that offers it, and who asks. */
  of: string
  filters: Readonly<Record<string, string>>
  run(): Promise<unknown>
}

/** Rows of a page: few enough that each kind of task fills one. */
export const PAGE = 20
/** Streams, which read nothing, and an export that reads as `listAudit` does, and adds an entry to the log each time. */
const NOT_READ = ['followChanges', 'followInbox', 'exportAudit']

const ofEveryKind = TASK_KINDS * EACH_KIND
/** Of a task that was rejected and recorded. */
const someTask = ofEveryKind - 10

const params: Readonly<Record<string, string>> = {
  id: String(FIRST_TASK_ID + someTask),
  taskId: String(FIRST_TASK_ID + someTask),
  npi: SIGNER_NPI,
  kind: 'signed',
  page: '1',
}
/** A value for each parameter of a query, as a caller sends it. */
const values: Readonly<Record<string, readonly string[]>> = {
  status: ['Completed', 'Received', 'Processing'],
  isArchived: ['true', 'false'],
  isFiled: ['true', 'false'],
  externalDocId: [externalDocId(someTask)],
  externalSavedDocumentIds: [`${savedDocumentId(someTask)},${savedDocumentId(someTask - 1)}`],
  review: ['true'],
  state: ['failed', 'failed,cancelled'],
  deliveryId: ['5'],
  eventId: [`event-${someTask}`],
  taskId: [String(FIRST_TASK_ID + someTask)],
  subscriptionId: ['1'],
  organizationId: ['1'],
  since: [timeOf(ofEveryKind / 2)],
  npi: [SIGNER_NPI],
  includeOutputAttachment: ['false'],
  removed: ['true', 'false'],
  signer: [SIGNER_NPI],
  typeId: ['1'],
  from: [timeOf(ofEveryKind / 2)],
  to: [timeOf(ofEveryKind)],
  until: [timeOf(ofEveryKind)],
  olderThan: ['3'],
  width: ['1000'],
  recorded: ['true', 'false'],
  action: ['task.sign'],
  actor: [SIGNER_NPI],
  before: [String(FIRST_TASK_ID + ofEveryKind)],
}
const MOST_FILTERS = 3

/** The store is what is measured here: no page is drawn. */
const UNDRAWN: SignerContext['pages'] = {
  shown: {
    sizes: async () => ({ sha256: '', pages: [] }),
    show: async () => ({ ok: true, type: 'image/png', picture: new Uint8Array(), lines: [], isTextReliable: true }),
  },
  takePlace: () => () => {},
  isNoted: () => false,
  note: () => {},
}

/** @param page rows of a page. */
export function readsOf(store: Store, page = PAGE): Read[] {
  const at = new Date(timeOf(ofEveryKind))
  const by = { kind: 'operator', id: null } as const
  const inbox = store.forSigner(SIGNER_NPI, by)
  const shared = { at, by, linkNext: () => {} }
  const ofOperator = (scope: number | null) => ({
    ...shared,
    store,
    scope,
    patientsInLists: 'full',
    staffDocuments: 'all',
    offersNotices: true,
    keyring: { writeUse: async () => {} },
  })
  return [
    ...readsOfTable(
      'sender',
      sender,
      {
        ...shared,
        store: store.forOrganization(SENDER),
        shared: store,
        profile: defaultProfile,
        stopping: new AbortController().signal,
      },
      page,
    ),
    ...readsOfTable(
      'signer',
      signer,
      {
        ...shared,
        unsignedPdf: 'download',
        draftSecret: () => store.draftSecret(1, at),
        scope: { signerNpi: SIGNER_NPI },
        notices: { ...store.notices, isOffered: true },
        delegations: store.delegations,
        pages: UNDRAWN,
        inbox: {
          ...inbox,
          waiting: () => inbox.waiting(page),
          past: (_: number, before?: number) => inbox.past(page, before),
        },
      },
      page,
    ),
    ...readsOfTable('operator', operator, ofOperator(null), page),
    ...readsOfTable('administrator', operator, ofOperator(SENDER), page),
    ...searches(store, null),
    ...searches(store, SENDER),
    ...readsOfWorkers(store, at),
  ]
}

const named = (who: string, runs: Readonly<Record<string, () => Promise<unknown>>>): Read[] =>
  Object.entries(runs).map(([name, run]) => ({ of: `${who} ${name}`, filters: {}, run }))

/** What is typed into the search field of the console. */
const searches = (store: Store, scope: number | null): Read[] =>
  [
    String(FIRST_TASK_ID + someTask),
    externalDocId(someTask),
    familyOf(someTask),
    `${familyOf(someTask)} ${birthDateOf(someTask)}`,
  ].map((search, n) => ({
    of: `search ${n} of ${scope}`,
    filters: {},
    run: () => store.overview(scope).search(readSearch(search), 'full'),
  }))

const readsOfWorkers = (store: Store, at: Date): Read[] =>
  named('worker', {
    waiting: store.waiting,
    queues: store.outbox.queues,
    fanOut: () => store.outbox.fanOut(at, PAGE),
    nextDue: store.ingestion.nextDue,
    auditHead: store.audit.head,
    auditRows: () => store.audit.rows().next(),
  })

/** What looks through the store step by step, and finds nothing to change: how long it takes in all depends on the store. */
export function stepsOf(store: Store): Read[] {
  const [never, at] = [new Date(0), new Date(timeOf(ofEveryKind))]
  const count = (filter: DeliveryFilter) => () =>
    store.deliveries.countRedeliverable({ states: ['failed', 'cancelled'], ...filter }, at)
  return named('step', {
    removeContents: () => store.retention.removeContents(never, at),
    removePatients: () => store.retention.removePatients(never, at),
    cancelStranded: () => store.outbox.cancelStranded(at),
    redeliver: count({}),
    redeliverToSubscription: count({ subscriptionId: SENDER }),
    redeliverToOrganization: count({ organizationId: SENDER }),
    redeliverSince: count({ organizationId: SENDER, since: at }),
  })
}

function readsOfTable(who: string, table: Table<never>, context: object, page: number): Read[] {
  const rows = Object.entries(table).filter(([name, { method }]) => method === 'get' && !NOT_READ.includes(name))
  return rows.flatMap(([name, row]) =>
    filterSets(row).map((filters) => ({
      of: `${who} ${name}`,
      filters,
      run: () => perform(row, context, { ...filters, ...('limit' in shapeOf(row.query) && { limit: String(page) }) }),
    })),
  )
}

/** A task without a document is refused like one that is not there. */
async function perform(row: Row, context: object, query: Read['filters']): Promise<unknown> {
  try {
    return await row.run(context as never, {
      params: row.params?.parse(
        Object.fromEntries(Object.keys(shapeOf(row.params)).map((name) => [name, paramOf(name)])),
      ),
      query: row.query?.parse(query),
      body: undefined,
    })
  } catch (failure) {
    if (failure instanceof Refusal && failure.kind === 'notFound') return null
    throw failure
  }
}

function paramOf(name: string): string {
  const value = params[name]
  if (value === undefined) throw new Error(`reads.ts has no value for the parameter ${name} of a path.`)
  return value
}

const shapeOf = (schema: Row['query']): object => schema?.shape ?? {}

/** The page before the last one counts with each set. */
function filterSets(row: Row): Read['filters'][] {
  const names = Object.keys(shapeOf(row.query)).filter((name) => name !== 'limit')
  return names
    .reduce<Read['filters'][]>(
      (sets, name) => {
        const known = values[name]
        if (!known) throw new Error(`reads.ts has no value for the filter ${name}.`)
        const mayTakeOneMore = (set: Read['filters']) =>
          name === 'before' || Object.keys(set).filter((other) => other !== 'before').length < MOST_FILTERS
        return sets.flatMap((set) => [
          set,
          ...(mayTakeOneMore(set) ? known.map((value) => ({ ...set, [name]: value })) : []),
        ])
      },
      [{}],
    )
    .filter(({ since, until }) => until === undefined || since !== undefined)
}
