/** `countersign deliveries`: what was sent to whom, and sending it again. Prints ids, states and times, never a URL or a body. */
import { listDeliveries, readDelivery, redeliver } from '../operations/operator/deliveries.ts'
import { check, perform } from '../operations/perform.ts'
import type { Command } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { printLine } from './command/print-line.ts'
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('deliveries')

/** Which deliveries are meant. */
interface Chosen {
  id?: string
  event?: string
  task?: string
  subscription?: string
  organization?: string
  failedSince?: string
  since?: string
  until?: string
  state?: string
}

const withChoice = (verb: Command): Command =>
  verb
    .option('--id <ID>', 'one delivery')
    .option('--event <GUID>', 'all deliveries of one event')
    .option('--task <ID>', 'of one task')
    .option('--subscription <ID>', 'to one subscription')
    .option('--organization <ID>', 'of one sender')
    .option('--failed-since <TIME>', 'failed ones whose event occurred then or later')
    .option('--since <TIME>', 'those whose event occurred then or later, such as 2026-03-02T09:00:00Z')
    .option('--until <TIME>', 'those whose event occurred before this time')
    .option('--state <NAME,…>', 'some of waiting, delivered, failed, cancelled')

withChoice(command.command('list'))
  .description('list deliveries, newest first, one line of JSON each')
  .option('--limit <NUMBER>', 'how many (default: 100)')
  .option('--before <ID>', 'only those older than this one: the next page')
  .action(
    onStore<Chosen & Page>(
      async ({ context, given, shell }) => {
        for (const delivery of await perform(listDeliveries, context, { query: queryOf(given) }))
          printLine(shell, delivery)
      },
      { check: ({ given }) => check(listDeliveries, { query: queryOf(given) }) },
    ),
  )

command
  .command('show')
  .description('show one delivery with all its attempts')
  .argument('[ID]')
  .action(
    onStore(
      async ({ context, operands: [id], shell }) =>
        printLine(shell, await perform(readDelivery, context, { params: { id } })),
      {
        check({ operands: [id] }) {
          if (id === undefined) throw new CommandError('show takes the id of a delivery. deliveries list shows them.')
          check(readDelivery, { params: { id } })
        },
      },
    ),
  )

withChoice(command.command('redeliver'))
  .description('send again, at once, with the same body and event id')
  .option('--dry-run', 'say how many deliveries that would be, and change nothing')
  .addHelpText(
    'after',
    `
Say which: --id, --event, --task, --subscription, --organization, --since or
--failed-since. Failed and cancelled ones are meant unless --state says otherwise;
with --id and --event, all. Only active subscriptions receive: activate a
subscription first to bring back what its deactivation cancelled.`,
  )
  .action(
    onStore<Chosen & Dry>(
      async ({ context, given, shell }) => {
        const body = bodyOf(given)
        let deliveries = 0
        // The operation sends a limited number again in one call.
        for (let after: number | null | undefined; after !== null; ) {
          const { count, next } = await perform(redeliver, context, { body: { ...body, after } })
          deliveries += count
          after = next
        }
        printLine(shell, { deliveries, dryRun: body.dryRun })
      },
      { check: ({ given }) => check(redeliver, { body: bodyOf(given) }) },
    ),
  )

interface Page {
  limit?: string
  before?: string
}

const queryOf = (given: Chosen & Page) => ({
  state: given.state ?? (given.failedSince === undefined ? undefined : 'failed'),
  deliveryId: given.id,
  eventId: given.event,
  taskId: given.task,
  subscriptionId: given.subscription,
  organizationId: given.organization,
  since: given.since ?? given.failedSince,
  until: given.until,
  limit: given.limit,
  before: given.before,
})

interface Dry {
  dryRun?: boolean
}

const bodyOf = ({ dryRun = false, ...given }: Chosen & Dry) => ({
  deliveryId: idOf(given.id),
  eventId: given.event,
  taskId: idOf(given.task),
  subscriptionId: idOf(given.subscription),
  organizationId: idOf(given.organization),
  failedSince: given.failedSince,
  since: given.since,
  until: given.until,
  states: given.state?.split(','),
  dryRun,
})

/** The operation says whether the number can be an id. */
const idOf = (given: string | undefined) => (given === undefined ? undefined : Number(given))
