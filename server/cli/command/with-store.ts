/** Opens the store of a service for one command, alongside the service that may be running on it. */
import { Later, Refusal } from '../../domain/refusal.ts'
import { isPlace, isServer, LASTING_PLACES } from '../../domain/store-place.ts'
import { holdsStore } from '../../store/folder/data-files.ts'
import { keepPrivate } from '../../store/folder/private-folder.ts'
import { hasKeyFile, masterKeys, tellKeysApart } from '../../store/sealing/master-key.ts'
import { startThreadEarly } from '../../store/sql/sqlite/start-thread.ts'
import type { Store } from '../../store/store.ts'
import type { Shell } from './command.ts'
import { CommandError } from './command-error.ts'

export interface StorePlace {
  data: string
  /** How the data was given: by a flag or a variable. */
  dataName: string
  /** A sandbox's store, whose key lies alongside the data. */
  sandbox: boolean
  masterKey?: string | undefined
  oldMasterKeys?: string | undefined
}

export interface Opening {
  shell: Pick<Shell, 'stderr'>
  /** Whether the command may make a store where there is none, as one that sets up a service must. */
  mayMake?: boolean
}

export async function withStore<T>(
  { data, dataName, sandbox: isSandbox, masterKey: current, oldMasterKeys: older }: StorePlace,
  run: (store: Store) => Promise<T>,
  { shell, mayMake = false }: Opening,
): Promise<T> {
  mustLast(data, dataName)
  if (!isServer(data) && !mayMake && !holdsStore(data))
    throw new CommandError(`${dataName}: there is no store in ${data}.`)
  for (const path of keepPrivate(data)) shell.stderr.write(`Other users could read ${path}; now they cannot.\n`)
  const keys = masterKeys(data, current, older, isSandbox || hasKeyFile(data))
  const kind = isSandbox ? 'sandbox' : undefined
  if (!isServer(data)) startThreadEarly()
  // Loaded only now, so that what is wrong is said at once.
  const { openStore } = await import('../../store/store.ts')
  const store = await openStore({ data, kind }, ...keys).catch(tellKeysApart(data, current))
  try {
    return await run(store)
  } catch (failure) {
    throw ofCall(failure)
  } finally {
    await store.close()
  }
}

/** Runs a check of what was given, and returns what it throws; a refusal as a CommandError. Undefined when all is right. */
export function problemOf(check: () => void): unknown {
  try {
    check()
    return undefined
  } catch (failure) {
    return ofCall(failure)
  }
}

/** The call was wrong when it is refused; it was right when the store is away, and may be made again. */
const ofCall = (failure: unknown): unknown =>
  failure instanceof Refusal && !(failure instanceof Later) ? new CommandError(failure.errors.join('; ')) : failure

/** Refuses a value that names no place, or one that ends with the process. */
export function mustLast(data: string, name = '--data'): void {
  if (data === ':memory:') throw new CommandError(`${name}: ${LASTING_PLACES}; :memory: ends with its process.`)
  if (!isPlace(data)) throw new CommandError(`${name}: ${LASTING_PLACES}`)
}
