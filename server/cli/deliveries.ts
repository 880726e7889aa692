/** `countersign deliveries`: what was sent to whom, and sending it again. It prints ids, states and times, never a URL or a body. */
import { listDeliveries, readDelivery, redeliver } from '../operations/operator/deliveries.ts'
import type { OperatorContext } from '../operations/operator/operator-context.ts'
import { perform } from '../operations/perform.ts'
import { CommandError, options } from './command/command.ts'
import { operatorContext } from './command/operator-context.ts'
import { DATA_HELP, withStore } from './command/with-store.ts'

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
  const command = name === 'list' ? list : name === 'show' ? show : name === 'redeliver' ? sendAgain : undefined
  if (!command || rest.length > 0)
    throw new CommandError('deliveries takes one of list, show ID, redeliver. --help lists the options.')
  await withStore(given.data, (store) => command(operatorContext(store, new Date()), given))
}

async function list(context: OperatorContext, given: Given): Promise<void> {
  const query = {
    state: given.state ?? (given['failed-since'] === undefined ? undefined : 'failed'),
    deliveryId: given.id,
    eventId: given.event,
    taskId: given.task,
    subscriptionId: given.subscription,
    organizationId: given.organization,
    since: given.since ?? given['failed-since'],
    limit: given.limit,
    before: given.before,
  }
  for (const delivery of await perform(listDeliveries, context, { query })) print(delivery)
}

async function show(context: OperatorContext, { id }: Given): Promise<void> {
  if (id === undefined) throw new CommandError('show takes the id of a delivery. deliveries list shows them.')
  print(await perform(readDelivery, context, { params: { id } }))
}

async function sendAgain(context: OperatorContext, given: Given): Promise<void> {
  const dryRun = given['dry-run'] === true
  const body = {
    deliveryId: idOf(given.id),
    eventId: given.event,
    taskId: idOf(given.task),
    subscriptionId: idOf(given.subscription),
    organizationId: idOf(given.organization),
    failedSince: given['failed-since'],
    since: given.since,
    states: given.state?.split(','),
    dryRun,
  }
  const { count } = await perform(redeliver, context, { body })
  print({ deliveries: count, dryRun })
}

/** A number as it is written; whether it can be an id, the operation says. */
const idOf = (given: string | undefined) => (given === undefined ? undefined : Number(given))

const print = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`)
