/** `countersign certificate export`: the certificate that the documents of a service are sealed with. It shows no key. */
import { certificatesOf, currentOf } from '../signing/seal-certificates.ts'
import { CommandError, options } from './command/command.ts'
import { DATA_HELP, withStore } from './command/with-store.ts'

const HELP = `Usage: countersign certificate export [options]

  Prints, as PEM, the certificate that a service seals its documents with: for
  countersign verify --certificate, and for the trust settings of PDF viewers.
  The service makes it, or takes it from --seal-p12, when it starts.

  --all                     also those that it sealed with before
${DATA_HELP}
`

export async function run(args: readonly string[]): Promise<void> {
  const read = options(args, { data: { type: 'string' }, all: { type: 'boolean' } }, HELP)
  if (!read) return
  if (read.positionals.join(' ') !== 'export') throw new CommandError('certificate takes export. --help says how.')
  const all = await withStore(read.values.data, certificatesOf)
  const current = currentOf(all)
  if (current === undefined) throw new Error('There is no certificate yet. The service makes it when it first starts.')
  process.stdout.write(read.values.all ? all : `${current}\n`)
}
