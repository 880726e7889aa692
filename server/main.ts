#!/usr/bin/env node
/** The command line: picks the command, and turns what goes wrong into one sentence and an exit code. */
import { CommandError } from './cli/command.ts'

const commands: Record<string, () => Promise<{ run(args: readonly string[]): Promise<void> }>> = {
  serve: () => import('./cli/serve.ts'),
  people: () => import('./cli/people.ts'),
  verify: () => import('./cli/verify.ts'),
  deliveries: () => import('./cli/deliveries.ts'),
  audit: () => import('./cli/audit.ts'),
  'master-key': () => import('./cli/master-key.ts'),
}

const HELP = `Usage: countersign <command> [options]

  serve       start the service   (countersign serve --help)
  people      who may sign in to the pages   (countersign people --help)
  verify      is a PDF as it was signed?   (countersign verify FILE)
  deliveries  callbacks that were sent, and sending them again   (countersign deliveries --help)
  audit       is the audit log whole?   (countersign audit --help)
  master-key  retire an old master key   (countersign master-key --help)
  version     print the version
`

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help') return void process.stdout.write(HELP)
  if (name === 'version' || name === '--version') {
    const { version } = await import('./version.ts')
    return void process.stdout.write(`${version}\n`)
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) throw new CommandError(`There is no command ${name}. ${Object.keys(commands).join(', ')} exist.`)
  await (await load()).run(args)
}

main(process.argv.slice(2)).catch((failure: unknown) => {
  process.stderr.write(`countersign: ${failure instanceof Error ? failure.message : String(failure)}\n`)
  process.exit(failure instanceof CommandError ? 2 : 1)
})
