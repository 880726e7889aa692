/** The tables of a map from CSV files, as `countersign map --table` names them. */
import type { MapFile } from '../../../lib/mapping/map-file.ts'
import { type TableName, tableFromCsv, tableNames } from '../../../lib/mapping/tables/table-from-csv.ts'
import { SettingsError } from '../../../lib/settings.ts'
import { CommandError } from '../command/command-error.ts'
import { bytesIn } from './bytes-in.ts'

/** Returns the tables. Throws `CommandError`, which names everything wrong in any of the files. @param given `NAME=FILE` each */
export async function mapTables(given: readonly string[]): Promise<Partial<MapFile>> {
  const named = given.map(nameAndFile)
  const names = named.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new CommandError('--table: one file for each table')
  const read = await Promise.allSettled(named.map(tableIn))
  const wrong = read.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const unexpected = wrong.find((failure) => !(failure instanceof CommandError))
  if (unexpected !== undefined) throw unexpected
  if (wrong.length > 0) throw new CommandError(wrong.map(({ message }) => message).join('\n'))
  return Object.fromEntries(read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
}

interface Named {
  name: TableName
  file: string
}

function nameAndFile(given: string): Named {
  const [, name, file] = /^(\w+)=(.+)$/.exec(given) ?? []
  const known = tableNames.find((table) => table === name)
  if (known === undefined || file === undefined)
    throw new CommandError(`--table: NAME=FILE, where NAME is one of ${tableNames.join(', ')}`)
  return { name: known, file }
}

async function tableIn({ name, file }: Named) {
  const bytes = await bytesIn(file, `--table ${name}`)
  try {
    return [name, tableFromCsv(name, bytes.toString())] as const
  } catch (failure) {
    if (failure instanceof SettingsError) throw new CommandError(`--table ${name}: ${failure.errors.join('; ')}`)
    throw failure
  }
}
