/** `countersign certificate export`: the certificate that the documents of a service are sealed with. It shows no key. */
import { certificatesOf, currentOf } from '../../signing/seal-certificates.ts'
import { printLine } from '../command/print-line.ts'
import { onStore, storeCommand } from '../command/store-command.ts'

export const command = storeCommand('certificate')

command
  .command('export')
  .description('print, as PEM, the certificate that a service seals its documents with')
  .option('--all', 'also those that it sealed with before')
  .addHelpText(
    'after',
    `
It is for countersign verify --certificate, and for the trust settings of PDF
viewers. The service makes it, or takes it from --seal-p12, when it starts.`,
  )
  .action(
    onStore<{ all?: boolean }>(async ({ context, given, isJson, shell }) => {
      const all = await certificatesOf(context.store)
      const current = currentOf(all)
      if (current === undefined)
        throw new Error('There is no certificate yet. The service makes it when it first starts.')
      const pem = given.all ? all : `${current}\n`
      if (isJson) printLine(shell, { pem })
      else shell.stdout.write(pem)
    }),
  )
