#!/usr/bin/env node
/** The command line: finds the command and runs it. What goes wrong becomes one sentence and an exit code. */
import { CommanderError } from 'commander'
import { command as audit } from './cli/audit.ts'
import { command as backup } from './cli/backup.ts'
import { command as certificate } from './cli/certificate.ts'
import { Command } from './cli/command/command.ts'
import { CommandError } from './cli/command/command-error.ts'
import { command as conform } from './cli/conform/conform.ts'
import { command as deliveries } from './cli/deliveries.ts'
import { command as documentTypes } from './cli/document-types.ts'
import { command as keys } from './cli/keys.ts'
import { command as masterKey } from './cli/master-key.ts'
import { command as operatorKeys } from './cli/operator-keys.ts'
import { command as organizations } from './cli/organizations.ts'
import { command as people } from './cli/people.ts'
import { command as providers } from './cli/providers.ts'
import { command as record } from './cli/recording/record.ts'
import { command as restore } from './cli/restore.ts'
import { command as serve } from './cli/serve.ts'
import { command as templates } from './cli/templates.ts'
import { command as verify } from './cli/verify.ts'
import { version } from './version.ts'

const commands = [
  serve,
  organizations,
  keys,
  operatorKeys,
  providers,
  documentTypes,
  templates,
  people,
  deliveries,
  backup,
  restore,
  audit,
  masterKey,
  certificate,
  verify,
  record,
  conform,
]

const program = new Command('countersign').usage('<command> [options]').version(version, '-v, --version')
// Otherwise the help of each command would list it, too.
for (const option of program.options) option.hideHelp()
for (const command of commands) program.addCommand(command)
program
  .command('version')
  .description('print the version')
  .option('--json', 'as one line of JSON')
  .action(({ json = false }) => void process.stdout.write(`${json ? JSON.stringify({ version }) : version}\n`))

// A reader such as head may have seen enough. The service goes on without one.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.exit(1)
  if (process.argv[2] !== 'serve') process.exit(0)
})

try {
  await program.parseAsync()
} catch (failure) {
  // Thrown after the help or the version was shown.
  if (failure instanceof CommanderError) process.exitCode = failure.code === 'commander.help' ? 2 : failure.exitCode
  else {
    process.stderr.write(`countersign: ${failure instanceof Error ? failure.message : String(failure)}\n`)
    process.exit(failure instanceof CommandError ? 2 : 1)
  }
}
