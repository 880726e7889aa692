/** The map in the file of `--map`. */
import { type MapFile, readMapFile } from '../../../lib/mapping/map-file.ts'
import { SettingsError } from '../../../lib/settings.ts'
import { CommandError } from '../command/command-error.ts'
import { bytesIn } from './bytes-in.ts'

/** An empty one when there is no file. @throws CommandError that names everything wrong */
export async function mapIn(file: string | undefined): Promise<MapFile> {
  const bytes = file === undefined ? '{}' : await bytesIn(file, '--map')
  try {
    return readMapFile(JSON.parse(bytes.toString()))
  } catch (failure) {
    if (failure instanceof SettingsError) throw new CommandError(`--map: ${failure.errors.join('; ')}`)
    throw new CommandError('--map: this file is not JSON.')
  }
}
