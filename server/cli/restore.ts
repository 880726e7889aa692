/** `countersign restore`: makes a store of a backup, where there is none. */
import { OPERATOR } from '../domain/audit.ts'
import { restoreBackup } from '../store/backup/restore-backup.ts'
import { MASTER_KEY_VARIABLE, masterKeys, OLD_MASTER_KEYS_VARIABLE } from '../store/sealing/master-key.ts'
import { Command } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { printLine } from './command/print-line.ts'
import { shown } from './command/shown.ts'
import { mustLast } from './command/with-store.ts'

export const command = new Command('restore')
  .description('make a store of a backup')
  .argument('<FILE>')
  .needs('--data <DIR|postgres://…>', 'an empty folder, or one that does not exist yet, or an empty database')
  .option('--json', 'JSON, one line each, also where the answer would be text')
  .addHelpText(
    'after',
    `
The database may be another one than the backup was taken of. Nothing is put there
before the file is known to be whole and to open under the master key. Everybody
signs in again, keys are as they were, and ids go on after a gap, because senders
hold those that were given away since. Callbacks sent since are sent once more,
with the same event id.

${MASTER_KEY_VARIABLE} in the environment: the key of the service at the time of the
backup; of a sandbox, what its file master.key holds`,
  )
  .action(restore)

async function restore(file: string, { data: target, json: isJson = false }: { data: string; json?: boolean }) {
  mustLast(target)
  const { [MASTER_KEY_VARIABLE]: current, [OLD_MASTER_KEYS_VARIABLE]: older } = process.env
  if (!current)
    throw new CommandError(
      `Set ${MASTER_KEY_VARIABLE} to the master key that the service had at the time of the backup.`,
    )
  const keys = masterKeys(target, current, older, false)
  const { tasks, documents } = await restoreBackup({ file, target, masterKeys: keys, by: OPERATOR, at: new Date() })
  if (isJson) printLine({ tasks, documents })
  else process.stdout.write(shown({ tasks, documents }))
}
