/** `countersign master-key rotate`: makes an old master key superfluous. Prints no key, and takes none on the command line. */
import { MASTER_KEY_VARIABLE, OLD_MASTER_KEYS_VARIABLE } from '../../store/sealing/master-key.ts'
import { printLine } from '../command/print-line.ts'
import { onStore, storeCommand } from '../command/store-command.ts'

export const command = storeCommand('master-key')

command
  .command('rotate')
  .description('seal under the current master key what is still sealed under an old one')
  .addHelpText(
    'after',
    `
The service may run at the same time, with the same two settings:

${MASTER_KEY_VARIABLE}       the new key: 32 random bytes as Base64
${OLD_MASTER_KEYS_VARIABLE}  the keys before it, comma-separated

When it has ended, start the service without ${OLD_MASTER_KEYS_VARIABLE}.`,
  )
  .action(
    onStore(async ({ context: { store, by, at }, shell }) =>
      printLine(shell, { rewrapped: await store.rewrapAll(by, at) }),
    ),
  )
