/** `countersign restore`: makes a store of a backup, where there is none. */
import { OPERATOR } from '../domain/audit.ts'
import { MASTER_KEY_VARIABLE, masterKeys } from '../store/sealing/master-key.ts'
import { Command, type Shell } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { printLine } from './command/print-line.ts'
import { shown } from './command/shown.ts'
import { mustLast } from './command/with-store.ts'
import { withSettings } from './settings/flags.ts'
import { faultsOf, someSettings } from './settings/given-settings.ts'

/** The settings of the service that a backup came from. */
const OF_SERVICE = [
  'masterKey',
  'oldMasterKeys',
  'documents',
  'documentsEndpoint',
  'documentsRegion',
  'documentsKeyId',
  'documentsSecret',
  'documentsCa',
  'proxy',
  'proxyPassword',
  'proxyBypass',
  'proxyResolves',
] as const

const restoring = new Command('restore')
  .argument('<FILE>')
  .needs('--data <DIR|postgres://…>', 'an empty folder, or one that does not exist yet, or an empty database')

export const command = withSettings(restoring, OF_SERVICE)
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

The master key is the key of the service at the time of the backup; of a sandbox,
what its file master.key holds. The settings may be given by variables, such as
${MASTER_KEY_VARIABLE}, and files, as those of the service.`,
  )
  .action((file: string, given: Given, { shell }: Command) => restore(file, given, shell))

interface Given extends Readonly<Record<string, unknown>> {
  data: string
  json?: boolean
}

async function restore(file: string, { data: target, json: isJson = false, ...flags }: Given, shell: Shell) {
  mustLast(target)
  const { settings, given } = someSettings(OF_SERVICE, flags, shell.env)
  if (!settings.masterKey)
    throw new CommandError(
      `Set ${MASTER_KEY_VARIABLE} to the master key that the service had at the time of the backup.`,
    )
  const keys = masterKeys(target, settings.masterKey, settings.oldMasterKeys, false)
  const { masterKey: _, oldMasterKeys: __, ...values } = given.values
  const { checkedSettings } = await import('../settings.ts')
  const faults = faultsOf(() => checkedSettings(values, given))
  if (faults.length > 0) throw new CommandError(faults.join('; '))
  const { bucketOf } = await import('../assembly/bucket-of.ts')
  const bucket = bucketOf(settings)
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
