/** Opens the store of a service for one command, beside the service that may be running on it. */
import { existsSync } from 'node:fs'
import { Later, Refusal } from '../../domain/refusal.ts'
import { keepPrivate } from '../../store/folder/private-folder.ts'
import {
  hasKeyFile,
  MASTER_KEY_VARIABLE,
  masterKeys,
  OLD_MASTER_KEYS_VARIABLE,
} from '../../store/sealing/master-key.ts'
import { openStore, type Store } from '../../store/store.ts'
import { CommandError } from './command-error.ts'

export interface Opening {
  /** Whether the command may make a store where there is none, as one that sets up a service must. */
  mayMake?: boolean
  /** A sandbox's store, whose key lies beside the data. */
  isSandbox?: boolean
}

export async function withStore<T>(
  data: string,
  run: (store: Store) => Promise<T>,
  { mayMake = false, isSandbox = false }: Opening = {},
): Promise<T> {
  if (data === ':memory:')
    throw new CommandError('--data: a folder or a postgres:// URL; :memory: ends with its process.')
  const isServer = /^postgres(ql)?:/.test(data)
  if (!isServer && !mayMake && !existsSync(data)) throw new CommandError(`--data: there is no store in ${data}.`)
  for (const path of keepPrivate(data)) process.stderr.write(`Other users could read ${path}; now they cannot.\n`)
  const { [MASTER_KEY_VARIABLE]: current, [OLD_MASTER_KEYS_VARIABLE]: older } = process.env
  const store = await openStore(data, ...masterKeys(data, current, older, isSandbox || hasKeyFile(data)))
  try {
    return await run(store)
  } catch (failure) {
    // The call was right when the store is away: it may be made again.
    throw failure instanceof Refusal && !(failure instanceof Later)
      ? new CommandError(failure.errors.join('; '))
      : failure
  } finally {
    await store.close()
  }
}
