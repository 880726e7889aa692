/** `countersign people`: who may sign in to the pages. A password comes from standard input, never from the command line. */
import { createAccount, listAccounts, setPassword } from '../operations/operator/accounts.ts'
import { perform } from '../operations/perform.ts'
import { CommandError } from './command/command-error.ts'
import { passwordFromInput } from './command/password.ts'
import { printLine } from './command/print-line.ts'
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('people', 'who may sign in to the pages')

interface GivenPerson {
  email?: string
  name?: string
  role?: string
  npi?: string
  organization?: string
}

command
  .command('list')
  .description('list everybody who may sign in, one line of JSON each')
  .action(
    onStore(async ({ context }) => {
      for (const person of await perform(listAccounts, context)) printLine(person)
    }),
  )

command
  .command('create')
  .description('add somebody; the password is one line on standard input')
  .option('--email <ADDRESS>', 'with which the person signs in; required')
  .option('--name <TEXT>', 'shown in the pages; required')
  .option('--role <signer|administrator|operator>', 'what the person may do; required')
  .option('--npi <NUMBER>', 'of a signer: the provider who signs')
  .option('--organization <ID>', 'of an administrator')
  .action(
    onStore<GivenPerson>(async ({ context, given: { organization, ...given } }) => {
      const organizationId = organization === undefined ? undefined : Number(organization)
      const body = { ...given, organizationId, password: await passwordFromInput() }
      printLine(await perform(createAccount, context, { body }))
    }),
  )

command
  .command('set-password')
  .description('give a new password, one line on standard input; ends every session of the person')
  .option('--email <ADDRESS>', 'whose; required')
  .action(
    onStore<{ email?: string }>(async ({ context, given }) => {
      const password = await passwordFromInput()
      const email = (given.email ?? '').trim().toLowerCase()
      const person = (await perform(listAccounts, context)).find((known) => known.email === email)
      if (!person) throw new CommandError('--email: nobody has this address. countersign people list shows everybody.')
      await perform(setPassword, context, { params: { id: String(person.id) }, body: { password } })
    }),
  )
