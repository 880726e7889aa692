/** `countersign restore`: makes a store of a backup, where there is none. */
import { readSettings } from '../../lib/settings.ts'
import { OPERATOR } from '../domain/audit.ts'
import { MASTER_KEY_VARIABLE, masterKeys, OLD_MASTER_KEYS_VARIABLE } from '../store/sealing/master-key.ts'
import { Command, type Shell } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { printLine } from './command/print-line.ts'
import { shown } from './command/shown.ts'
import { mustLast } from './command/with-store.ts'
import { documentsIn, type GivenDocuments, withDocuments } from './serving/documents-options.ts'
import { inOptions } from './serving/wrong-options.ts'

const restoring = new Command('restore')
  .argument('<FILE>')
  .needs('--data <DIR|postgres://…>', 'an empty folder, or one that does not exist yet, or an empty database')

export const command = withDocuments(restoring)
  .option('--json', 'JSON, one line each, also where the answer would be text')
  .addHelpText(
    'after',
    `
The database may be another one than the backup was taken of. Nothing is put there
before the file is known to be whole and to open under the master key. Everybody
signs in again, keys are as they were, and ids go on after a gap, because senders
hold those that were given away since. Callbacks sent since are sent once more,
with the same event id.

Documents in object storage are named in a backup, and not copied. With --documents
they are looked for there, and those that are missing are counted.

${MASTER_KEY_VARIABLE} in the environment: the key of the service at the time of the
backup; of a sandbox, what its file master.key holds`,
  )
  .action((file: string, given: Given, { shell }: Command) => restore(file, given, shell))

interface Given extends GivenDocuments {
  data: string
  json?: boolean
}

async function restore(file: string, { data: target, json: isJson = false, ...given }: Given, shell: Shell) {
  mustLast(target)
  const { [MASTER_KEY_VARIABLE]: current, [OLD_MASTER_KEYS_VARIABLE]: older } = shell.env
  if (!current)
    throw new CommandError(
      `Set ${MASTER_KEY_VARIABLE} to the master key that the service had at the time of the backup.`,
    )
  const keys = masterKeys(target, current, older, false)
  const bucket = await bucketIn(given, shell.env)
  // Loaded only now, so that help and wrong options are answered at once.
  const { restoreBackup } = await import('../store/backup/restore-backup.ts')
  const restored = await restoreBackup({ file, target, masterKeys: keys, bucket, by: OPERATOR, at: new Date() })
  if (isJson) printLine(shell, restored)
  else shell.stdout.write(shown(restored))
  if (restored.inObjectStorage !== undefined && restored.missing === undefined)
    shell.stderr.write(
      'Documents in object storage were not looked for. Give --documents, and what belongs to it, to count those that are missing there.\n',
    )
}

/** Undefined where none was given. */
async function bucketIn({ documentsSecretFile, documentsCa, ...others }: GivenDocuments, env: Shell['env']) {
  const given = { ...others, ...documentsIn({ documentsSecretFile, documentsCa }, env) }
  const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  // Loaded only now, so that help is answered at once.
  const { Settings } = await import('../config.ts')
  const { bucketOf } = await import('../assembly/bucket-of.ts')
  try {
    return bucketOf(readSettings(Settings, settings, 'restore'))
  } catch (failure) {
    throw inOptions(failure)
  }
}
