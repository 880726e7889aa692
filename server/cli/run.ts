/** Runs the command that is called. What goes wrong becomes one sentence and an exit code. */
import { CommanderError } from 'commander'
import { build, version } from '../version.ts'
import { Command, type Shell } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { commands } from './commands.ts'

/** `process` is a shell; a test may make its own. Signals are always those of the process. */
export async function run(shell: Shell): Promise<void> {
  const args = shell.argv.slice(2)
  try {
    const name = args.find((arg) => Object.hasOwn(commands, arg))
    const loaded = name === undefined ? {} : { [name]: (await commands[name]!.load()).command }
    // In one turn until its action begins: there is one of each command, and it may be called again in the meantime.
    await programWith(loaded, shell).parseAsync(args, { from: 'user' })
  } catch (failure) {
    // Thrown after the help or the version was shown. Help that no one asked for says that a command is missing.
    if (failure instanceof CommanderError)
      shell.exitCode = failure.code === 'commander.help' && failure.exitCode !== 0 ? 2 : failure.exitCode
    else {
      shell.stderr.write(`countersign: ${failure instanceof Error ? failure.message : String(failure)}\n`)
      shell.exit(failure instanceof CommandError ? 2 : 1)
    }
  }
}

/** Has the command that is called whole; the others are there for the help. */
function programWith(loaded: Readonly<Record<string, Command>>, shell: Shell): Command {
  const program = new Command('countersign', shell)
    .usage('<command> [options]')
    .version(version, '-v, --version')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 30, subcommandTerm: (command) => command.name() })
  // Otherwise the help of each command would list it, too.
  for (const option of program.options) option.hideHelp()
  for (const [name, { summary }] of Object.entries(commands))
    program.addCommand((loaded[name] ?? new Command(name)).description(summary))
  program
    .command('version')
    .description('print the version and the build')
    .option('--json', 'as one line of JSON')
    .action(
      ({ json = false }) =>
        void shell.stdout.write(`${json ? JSON.stringify({ version, build }) : `${version} (build ${build})`}\n`),
    )
  return program
}
