/** `countersign audit`: checks whether the audit log is whole, and prints it to be kept elsewhere. It changes nothing. */
import type { RowFault } from '../store/rows/check-rows.ts'
import { CommandError } from './command/command-error.ts'
import { printLine } from './command/print-line.ts'
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('audit')

command
  .command('verify')
  .description(
    'read the whole log; exit code 1 when it, or a row that grants access, was changed without the master key',
  )
  .option('--head <NUMBER:HASH>', 'a head that was kept, to compare with')
  .addHelpText(
    'after',
    `
Rows that grant access (accounts, keys, organizations, providers, subscriptions,
delegations, sessions) are checked too: each must be as the service wrote it last.
Rows cut off at the end show only against a head that was kept elsewhere: give it
with --head.`,
  )
  .action(
    onStore<{ head?: string }>(
      async ({ context, given, shell }) => {
        const kept = keptHead(given.head)
        const { rows, head, fault, rowFaults } = await context.store.audit.verify(kept)
        if (fault) throw new Error(`The audit log is not whole: ${fault}.`)
        if (rowFaults.length > 0) throw new Error(inWords(rowFaults))
        printLine(shell, {
          rows,
          head: `${head.sequence}:${head.hash}`,
          comparedWithHead: kept !== undefined,
        })
      },
      { check: ({ given }) => void keptHead(given.head) },
    ),
  )

const inWords = (faults: readonly RowFault[]) =>
  `These rows were changed without the master key. Restore a backup from before that. ${faults
    .map(({ table, id, is }) => `${table} ${id}: ${FAULTS[is]}.`)
    .join(' ')}`

const FAULTS: Readonly<Record<RowFault['is'], string>> = {
  changed: 'was changed or added',
  earlier: 'is an earlier version, or was deleted and put back',
  removed: 'was removed',
}

function keptHead(given: string | undefined) {
  if (given === undefined) return undefined
  const [, sequence, hash] = /^(\d+):([0-9a-f]{64})$/.exec(given) ?? []
  if (sequence === undefined || hash === undefined)
    throw new CommandError('--head: NUMBER:HASH, as countersign audit head prints it')
  return { sequence: Number(sequence), hash }
}

command
  .command('head')
  .description("print the newest row's NUMBER:HASH; keep it where no one with write access to the store can write")
  .action(
    onStore(async ({ context, isJson, shell }) => {
      const { sequence, hash } = await context.store.audit.head()
      const head = `${sequence}:${hash}`
      if (isJson) printLine(shell, { head })
      else shell.stdout.write(`${head}\n`)
    }),
  )

command
  .command('export')
  .description('print the log, one line of JSON for each row')
  .option('--after <NUMBER>', 'only rows after this one', '0')
  .action(
    onStore<{ after: string }>(
      async ({ context, given: { after }, shell }) => {
        for await (const row of context.store.audit.rows(Number(after))) printLine(shell, row)
      },
      {
        check({ given: { after } }) {
          if (!/^\d{1,15}$/.test(after)) throw new CommandError('--after: a whole number')
        },
      },
    ),
  )
