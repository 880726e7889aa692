/** `countersign audit`: whether the audit log is whole, and the log for keeping elsewhere. It changes nothing. */
import type { Store } from '../store/store.ts'
import { CommandError, options } from './command/command.ts'
import { DATA_HELP, withStore } from './command/with-store.ts'

const HELP = `Usage: countersign audit <verify|head|export> [options]

  verify           reads the whole log; exit code 1 when a row was changed,
                   added or removed by somebody without the master key. Rows
                   cut off at the end show only against a head that was kept
                   elsewhere: give it with --head. keyedAfter: rows up to this
                   one are older than the key of the log; of these it shows
                   what was changed since there is one
  head             the newest row's number and hash: NUMBER:HASH. Keep it where
                   whoever may write to the store may not
  export           the log, one line of JSON for each row

  --head NUMBER:HASH        verify: a head that was kept
  --after NUMBER            export: only rows after this one
${DATA_HELP}
`

interface Given {
  head?: string | undefined
  after?: string | undefined
}

const commands: Record<string, (store: Store, given: Given) => Promise<void>> = { verify, head, export: exportRows }

export async function run(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const
  const read = options(args, { data: text, head: text, after: text }, HELP)
  if (!read) return
  const [name = '', ...rest] = read.positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || rest.length > 0)
    throw new CommandError(`audit takes one of ${Object.keys(commands).join(', ')}. --help lists the options.`)
  await withStore(read.values.data, (store) => command(store, read.values))
}

async function verify(store: Store, given: Given): Promise<void> {
  const [, sequence, hash = ''] = /^(\d+):([0-9a-f]{64})$/.exec(given.head ?? '') ?? []
  if (given.head !== undefined && sequence === undefined)
    throw new CommandError('--head: NUMBER:HASH, as countersign audit head prints it')
  const kept = sequence === undefined ? undefined : { sequence: Number(sequence), hash }
  const { rows, head: found, keyedAfter, fault } = await store.audit.verify(kept)
  if (fault) throw new Error(`The audit log is not whole: ${fault}.`)
  print({ rows, head: `${found.sequence}:${found.hash}`, comparedWithHead: kept !== undefined, keyedAfter })
}

async function head(store: Store): Promise<void> {
  const { sequence, hash } = await store.audit.head()
  process.stdout.write(`${sequence}:${hash}\n`)
}

async function exportRows(store: Store, { after = '0' }: Given): Promise<void> {
  if (!/^\d{1,15}$/.test(after)) throw new CommandError('--after: a whole number')
  for await (const row of store.audit.rows(Number(after))) print(row)
}

const print = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`)
