#!/usr/bin/env node
/** The command line: picks the command, and turns what goes wrong into one sentence and an exit code. */
import { CommandError } from './cli/command/command.ts'

const commands: Record<string, () => Promise<{ run(args: readonly string[]): Promise<void> }>> = {
  serve: () => import('./cli/serve.ts'),
  organizations: () => import('./cli/organizations.ts'),
  keys: () => import('./cli/keys.ts'),
  'operator-keys': () => import('./cli/operator-keys.ts'),
  providers: () => import('./cli/providers.ts'),
  'document-types': () => import('./cli/document-types.ts'),
  templates: () => import('./cli/templates.ts'),
  people: () => import('./cli/people.ts'),
  certificate: () => import('./cli/certificate.ts'),
  verify: () => import('./cli/verify.ts'),
  deliveries: () => import('./cli/deliveries.ts'),
  audit: () => import('./cli/audit.ts'),
  'master-key': () => import('./cli/master-key.ts'),
}

const HELP = `Usage: countersign <command> [options]      countersign <command> --help explains it

  serve            start the service
  organizations    senders, and practices that signers belong to
  keys             API keys of senders
  operator-keys    keys with which programs use /admin/v1
  providers        who signs, and where
  document-types   kinds of documents that may be sent
  templates        fields and rules of an organization for a kind of document
  people           who may sign in to the pages
  deliveries       callbacks that were sent, and sending them again
  audit            is the audit log whole?
  master-key       retire an old master key
  certificate      what the documents of a service are sealed with
  verify           is a PDF as it was signed?   (countersign verify FILE)
  version          print the version
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
