/** `countersign people`: who may sign in to the pages. A password comes from standard input, never from the command line. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { createAccount, listAccounts, setPassword } from '../operations/operator/accounts.ts'
import type { OperatorContext } from '../operations/operator/operator-context.ts'
import { perform } from '../operations/perform.ts'
import { MASTER_KEY_VARIABLE } from '../store/sealing/master-key.ts'
import { CommandError, options } from './command/command.ts'
import { operatorContext } from './command/operator-context.ts'
import { DATA_HELP, withStore } from './command/with-store.ts'

const HELP = `Usage: countersign people <list|create|set-password> [options]

  list           everybody who may sign in, one line of JSON each
  create         adds somebody; the password is one line on standard input
  set-password   gives a new password, and ends every session of the person

${DATA_HELP}
  --email ADDRESS           whom it is about
  --name TEXT               shown in the pages
  --role signer|administrator|operator
  --npi NUMBER              of a signer: the provider who signs
  --organization ID         of an administrator

  ${MASTER_KEY_VARIABLE}    as for the service
`

interface Given {
  email?: string | undefined
  name?: string | undefined
  role?: string | undefined
  npi?: string | undefined
  organization?: string | undefined
}

const commands: Record<string, (context: OperatorContext, given: Given) => Promise<void>> = {
  list,
  create,
  'set-password': changePassword,
}

export async function run(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const
  const accepted = { data: text, email: text, name: text, role: text, npi: text, organization: text }
  const read = options(args, accepted, HELP)
  if (!read) return
  const [name = '', ...rest] = read.positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || rest.length > 0)
    throw new CommandError(`people takes one of ${Object.keys(commands).join(', ')}. --help lists the options.`)
  const { data, ...given } = read.values
  await withStore(data, (store) => command(operatorContext(store, new Date()), given))
}

async function list(context: OperatorContext): Promise<void> {
  for (const person of await perform(listAccounts, context)) print(person)
}

async function create(context: OperatorContext, { organization, ...given }: Given): Promise<void> {
  const organizationId = organization === undefined ? undefined : Number(organization)
  const body = { ...given, organizationId, password: await passwordFromInput() }
  print(await perform(createAccount, context, { body }))
}

async function changePassword(context: OperatorContext, given: Given): Promise<void> {
  const password = await passwordFromInput()
  const email = (given.email ?? '').trim().toLowerCase()
  const person = (await perform(listAccounts, context)).find((known) => known.email === email)
  if (!person) throw new CommandError('--email: nobody has this address. countersign people list shows everybody.')
  await perform(setPassword, context, { params: { id: String(person.id) }, body: { password } })
}

const print = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`)

/** The first line of standard input; nothing is echoed when a person types it. */
async function passwordFromInput(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const isTyped = process.stdin.isTTY === true
  if (isTyped) process.stderr.write('Password: ')
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTyped })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTyped) process.stderr.write('\n')
  }
}
