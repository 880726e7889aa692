/** Makes the command line a caller of the operator's interface: an operator, in this process. */
import { randomBytes, randomUUID } from 'node:crypto'
import { OPERATOR } from '../../domain/audit.ts'
import { createKeyring, type Keyring } from '../../keys/keyring.ts'
import type { OperatorContext } from '../../operations/operator/operator-context.ts'
import type { Store } from '../../store/store.ts'

export interface CommandContext extends OperatorContext {
  keyring: Keyring
}

/** @param isSandbox whether keys that are made are test keys */
export const operatorContext = (store: Store, at: Date, isSandbox = false): CommandContext => ({
  scope: null,
  by: OPERATOR,
  store,
  keyring: createKeyring(store, isSandbox ? 'test' : 'live', randomBytes),
  at,
  newId: randomUUID,
})
