#!/usr/bin/env node
/** The command line: finds the command and runs it. What goes wrong becomes one sentence and an exit code. */
import { CommanderError } from 'commander'
import { Command } from './cli/command/command.ts'
import { CommandError } from './cli/command/command-error.ts'
import { version } from './version.ts'

/** In the order of the help. Only the command that is called is loaded: loading all takes longer than most of them need. */
const COMMANDS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  serve: () => import('./cli/serve.ts'),
  organizations: () => import('./cli/organizations.ts'),
  keys: () => import('./cli/secrets/keys.ts'),
  'operator-keys': () => import('./cli/secrets/operator-keys.ts'),
  providers: () => import('./cli/providers.ts'),
  'document-types': () => import('./cli/document-types.ts'),
  templates: () => import('./cli/templates.ts'),
  people: () => import('./cli/people.ts'),
  delegations: () => import('./cli/delegations.ts'),
  deliveries: () => import('./cli/deliveries.ts'),
  backup: () => import('./cli/backup.ts'),
  restore: () => import('./cli/restore.ts'),
  audit: () => import('./cli/audit.ts'),
  'master-key': () => import('./cli/secrets/master-key.ts'),
  certificate: () => import('./cli/secrets/certificate.ts'),
  verify: () => import('./cli/verify.ts'),
  record: () => import('./cli/recording/record.ts'),
  conform: () => import('./cli/conform/conform.ts'),
  map: () => import('./cli/map.ts'),
}

const program = new Command('countersign').usage('<command> [options]').version(version, '-v, --version')
// Otherwise the help of each command would list it, too.
for (const option of program.options) option.hideHelp()
const [, , name = ''] = process.argv
const called = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]!] : Object.values(COMMANDS)
for (const { command } of await Promise.all(called.map((load) => load()))) program.addCommand(command)
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
