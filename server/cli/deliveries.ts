/** `countersign deliveries`: what was sent to whom, and sending it again. It prints ids, states and times, never a URL or a body. */
import type { DeliveryFilter } from '../store/deliveries.ts'
import type { DeliveryState } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { CommandError, options } from './command.ts'
import { DATA_HELP, withStore } from './with-store.ts'

const HELP = `Usage: countersign deliveries <list|show ID|redeliver> [options]

  list                 newest first, one line of JSON each
  show ID              one delivery with all its attempts
  redeliver            sends again, at once, with the same body and event id.
                       Say which: --id, --event, --task, --subscription,
                       --organization or --failed-since. Failed and cancelled
                       ones are meant unless --state says otherwise; with --id
                       and --event, all. Only active subscriptions receive.
  --dry-run            say how many deliveries it would be, and change nothing

  --id ID              one delivery
  --event GUID         all deliveries of one event
  --task ID            of one task
  --subscription ID    to one subscription
  --organization ID    of one sender
  --failed-since TIME  failed ones whose event occurred then or later
  --since TIME         event occurred then or later; 2026-03-02T09:00:00Z
  --state NAME,…       waiting, delivered, failed, cancelled
  --limit NUMBER       how many to list                           (100)
  --before ID          list on after this delivery
${DATA_HELP}
`

const STATES: readonly string[] = ['waiting', 'delivered', 'failed', 'cancelled'] satisfies DeliveryState[]
const ENDED: readonly DeliveryState[] = ['failed', 'cancelled']

const text = { type: 'string' } as const
const accepted = {
  data: text,
  id: text,
  event: text,
  task: text,
  subscription: text,
  organization: text,
  'failed-since': text,
  since: text,
  state: text,
  limit: text,
  before: text,
  'dry-run': { type: 'boolean' },
} as const
type Given = { [K in keyof typeof accepted]?: (K extends 'dry-run' ? boolean : string) | undefined }

export async function run(args: readonly string[]): Promise<void> {
  const read = options(args, accepted, HELP)
  if (!read) return
  const [name, id, ...rest] = read.positionals
  const given: Given = { ...read.values, ...(id !== undefined && { id }) }
  const command = name === 'list' ? list : name === 'show' ? show : name === 'redeliver' ? redeliver : undefined
  if (!command || rest.length > 0)
    throw new CommandError('deliveries takes one of list, show ID, redeliver. --help lists the options.')
  // Read first, so that a wrong option is told before a store is opened.
  const filter = filterOf(given)
  await withStore(given.data, (store) => command(store, filter, given))
}

async function list(store: Store, filter: DeliveryFilter, { limit, before }: Given): Promise<void> {
  const found = await store.deliveries.list(filter, whole('limit', limit) ?? 100, whole('before', before))
  for (const delivery of found) print(delivery)
}

async function show(store: Store, { id }: DeliveryFilter): Promise<void> {
  if (id === undefined) throw new CommandError('show takes the id of a delivery. deliveries list shows them.')
  const [delivery] = await store.deliveries.list({ id }, 1)
  if (!delivery) throw new CommandError(`There is no delivery ${id}. deliveries list shows them.`)
  print({ ...delivery, log: await store.deliveries.attempts(id) })
}

async function redeliver(store: Store, filter: DeliveryFilter, given: Given): Promise<void> {
  const { states, since, ...whom } = filter
  if (Object.values(whom).every((value) => value === undefined) && given['failed-since'] === undefined)
    throw new CommandError('redeliver: say which deliveries, for example --event GUID or --failed-since TIME.')
  const isExact = filter.id !== undefined || filter.eventId !== undefined
  const meant = states ?? (given['failed-since'] !== undefined ? (['failed'] as const) : isExact ? undefined : ENDED)
  const dryRun = given['dry-run'] === true
  const deliveries = await store.deliveries.redeliver({ ...filter, states: meant }, new Date(), { dryRun })
  print({ deliveries, dryRun })
}

function filterOf(given: Given): DeliveryFilter {
  return {
    id: whole('id', given.id),
    eventId: given.event,
    taskId: whole('task', given.task),
    subscriptionId: whole('subscription', given.subscription),
    organizationId: whole('organization', given.organization),
    states: statesOf(given.state),
    since: time('since', given.since) ?? time('failed-since', given['failed-since']),
  }
}

function statesOf(given: string | undefined): DeliveryState[] | undefined {
  const names = given?.split(',')
  if (names?.some((name) => !STATES.includes(name))) throw new CommandError(`--state: some of ${STATES.join(', ')}`)
  return names as DeliveryState[] | undefined
}

function whole(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^[1-9]\d{0,14}$/.test(given)) throw new CommandError(`--${name}: a whole number from 1`)
  return Number(given)
}

function time(name: string, given: string | undefined): Date | undefined {
  if (given === undefined) return undefined
  const at = new Date(given)
  if (Number.isNaN(at.getTime())) throw new CommandError(`--${name}: a time such as 2026-03-02T09:00:00Z`)
  return at
}

const print = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`)
