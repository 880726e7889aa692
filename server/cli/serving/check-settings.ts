/** Checks what a service is started with, before the service is loaded. */
import { readSettings } from '../../../lib/settings.ts'
import { Settings } from '../../config.ts'
import { masterKeys } from '../../store/sealing/master-key.ts'
import { inOptions } from './wrong-options.ts'

/** @throws CommandError that names every option that is wrong, or a sentence about the master key */
export function checkSettings(given: object): void {
  const { data, masterKey, oldMasterKeys, sandbox } = settingsIn(given)
  // That of a sandbox is made when it starts.
  if (!sandbox) masterKeys(data, masterKey, oldMasterKeys, false)
}

function settingsIn(given: object): Settings {
  try {
    return readSettings(Settings, given, 'service')
  } catch (failure) {
    throw inOptions(failure)
  }
}
