/** `countersign backup`: writes a backup of the store into a file, while the service runs. */
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('backup')
  .argument('<FILE>')
  .addHelpText(
    'after',
    `
The service may keep running. The file holds all that was stored when the command
began, whichever database it comes from, and is for this user alone. The master
key is not in it: keep both, in different places. Neither is the file of --seal-p12.
Documents in object storage are named in it, and not copied.`,
  )
  .action(
    onStore(async ({ context: { store, by, at }, operands: [file = ''] }) => ({
      file,
      ...(await store.backup(file, by, at)),
    })),
  )
