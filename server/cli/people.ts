/** `countersign people`: who may sign in to the pages. A password comes from standard input, never from the command line. */

import { emailOf } from '../domain/email.ts'
import { Refusal } from '../domain/refusal.ts'
import {
  createAccount,
  listAccounts,
  removeAccount,
  setPassword,
  signOutAccount,
  unlinkAccount,
  unlockAccount,
  updateAccount,
} from '../operations/operator/accounts/accounts.ts'
import { accountProblems } from '../operations/operator/accounts/add-person.ts'
import { removeSecondFactor } from '../operations/operator/accounts/second-factor.ts'
import type { AccountBody } from '../operations/operator/messages/accounts.ts'
import { check, perform } from '../operations/perform.ts'
import type { Shell } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import type { CommandContext } from './command/operator-context.ts'
import { organizationOf } from './command/organization-of.ts'
import { passwordFromInput } from './command/password.ts'
import { printLine } from './command/print-line.ts'
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('people')

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
  .option('--removed', 'those whose accounts were removed, for ids in the audit log')
  .action(
    onStore<{ removed?: true }>(async ({ context, given: { removed }, shell }) => {
      const query = { removed: removed && 'true' }
      for (const person of await perform(listAccounts, context, { query })) printLine(shell, person)
    }),
  )

command
  .command('create')
  .description('add a person; the password is one line on standard input')
  .option('--email <ADDRESS>', 'with which the person signs in; required')
  .option('--name <TEXT>', 'shown in the pages; required')
  .option('--role <signer|administrator|operator>', 'what the person may do; required')
  .option('--npi <NUMBER>', 'of a signer: the provider who signs')
  .option('--organization <NAME|ID>', 'of an administrator')
  .action(
    onStore<GivenPerson>(
      async ({ context, given: { organization, ...given }, shell }) => {
        const organizationId = organization === undefined ? undefined : await idOf(context, organization)
        const body = { ...given, organizationId, password: await passwordFromInput(shell) }
        printLine(shell, await perform(createAccount, context, { body }))
      },
      {
        check: ({ given: { organization, ...given } }) => {
          const organizationId = organization === undefined ? undefined : (asId(organization) ?? ANY_ID)
          const body = { ...given, organizationId, password: NOT_READ_YET }
          check(createAccount, { body })
          const { email, ...account } = body as AccountBody
          const problems = accountProblems({ ...account, email: email.trim() })
          if (problems.length > 0) throw new Refusal('invalid', ...problems)
        },
        // The first operator lets everybody else in.
        mayMake: ({ role }) => role === 'operator',
        storeKnowsMore: true,
      },
    ),
  )

/** Digits are read as an id, and refused in the words of the operator's interface. */
const asId = (nameOrId: string): number | undefined => (/^\d+$/.test(nameOrId) ? Number(nameOrId) : undefined)
const idOf = async (context: CommandContext, nameOrId: string): Promise<number> =>
  asId(nameOrId) ?? (await organizationOf(context, nameOrId)).id

/** In place of what is asked for or looked up once the rest is right. */
const NOT_READ_YET = '-'.repeat(32)
const ANY_ID = 1

/** Adds a verb that does something to the account of an e-mail address. */
const forAccount = (
  verb: string,
  description: string,
  run: (context: CommandContext, params: { id: string }, shell: Shell) => Promise<unknown>,
) =>
  command
    .command(verb)
    .description(description)
    .needs('--email <ADDRESS>', 'whose')
    .action(
      onStore<{ email: string }>(async ({ context, given, shell }) => {
        const email = emailOf(given.email)
        const person = (await perform(listAccounts, context)).find((known) => known.email === email)
        if (!person)
          throw new CommandError('--email: no account has this address. countersign people list shows all of them.')
        await run(context, { id: String(person.id) }, shell)
      }),
    )

forAccount(
  'set-password',
  'give a new password, one line on standard input; ends every session of the person',
  async (context, params, shell) =>
    perform(setPassword, context, { params, body: { password: await passwordFromInput(shell) } }),
)
forAccount('disable', 'keep a person from signing in, and end all their sessions', (context, params) =>
  perform(updateAccount, context, { params, body: { isActive: false } }),
)
forAccount('enable', 'let a disabled person sign in again', (context, params) =>
  perform(updateAccount, context, { params, body: { isActive: true } }),
)
forAccount('remove', 'end an account permanently; its e-mail address is free again', (context, params) =>
  perform(removeAccount, context, { params }),
)
forAccount('sign-out', 'end every session of a person, who can sign in again', (context, params) =>
  perform(signOutAccount, context, { params }),
)
forAccount('unlock', 'forget failed sign-ins, so that the person need not wait because of them', (context, params) =>
  perform(unlockAccount, context, { params }),
)
forAccount(
  'unlink',
  'unlink an account from single sign-on; the next sign-in there links it again',
  (context, params) => perform(unlinkAccount, context, { params }),
)
forAccount('remove-second-factor', 'for a person who has lost it; ends all their sessions', (context, params) =>
  perform(removeSecondFactor, context, { params }),
)
