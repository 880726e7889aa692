/** `countersign people`: who may sign in to the pages. A password comes from standard input, never from the command line. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { OPERATOR } from '../domain/audit.ts'
import { addPerson } from '../people/add-person.ts'
import { hashPassword } from '../people/password.ts'
import { passwordProblem } from '../people/password-problem.ts'
import { MASTER_KEY_VARIABLE } from '../store/master-key.ts'
import type { PersonRole } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import { CommandError, options } from './command.ts'
import { DATA_HELP, withStore } from './with-store.ts'

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

const roles: readonly string[] = ['signer', 'administrator', 'operator'] satisfies PersonRole[]

interface Given {
  email?: string | undefined
  name?: string | undefined
  role?: string | undefined
  npi?: string | undefined
  organization?: string | undefined
}

const commands: Record<string, (store: Store, given: Given) => Promise<void>> = {
  list,
  create,
  'set-password': setPassword,
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
  await withStore(data, (store) => command(store, given))
}

async function list(store: Store): Promise<void> {
  for (const person of await store.people.list()) process.stdout.write(`${JSON.stringify(person)}\n`)
}

async function create(store: Store, { email = '', name = '', role = '', npi, organization }: Given): Promise<void> {
  if (!roles.includes(role)) throw new CommandError(`--role: one of ${roles.join(', ')}`)
  const organizationId = organization === undefined ? undefined : Number(organization)
  const wish = { email, name, role: role as PersonRole, npi, organizationId, password: await passwordFromInput() }
  process.stdout.write(`${JSON.stringify(await addPerson(store, wish, new Date(), OPERATOR))}\n`)
}

async function setPassword(store: Store, given: Given): Promise<void> {
  const password = await passwordFromInput()
  const email = (given.email ?? '').trim().toLowerCase()
  const person = await store.people.findByEmail(email)
  if (!person) throw new CommandError('--email: nobody has this address. countersign people list shows everybody.')
  const problem = await passwordProblem(password, person)
  if (problem) throw new CommandError(problem)
  await store.people.setPassword(email, await hashPassword(password), new Date())
}

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
