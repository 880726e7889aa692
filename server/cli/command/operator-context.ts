/** Makes the command line a caller of the operator's interface: an operator, in this process. */
import { randomBytes, randomUUID } from 'node:crypto'
import { WEBHOOK_SECRET_BYTES } from '../../choices.ts'
import { OPERATOR } from '../../domain/audit.ts'
import { createKeyring, type Keyring } from '../../keys/keyring.ts'
import type { OperatorContext } from '../../operations/operator/operator-context.ts'
import type { Store } from '../../store/store.ts'

export interface CommandContext extends OperatorContext {
  keyring: Keyring
}

/** Keys that are made are test keys in the store of a sandbox. */
export const operatorContext = (store: Store, at: Date): CommandContext => ({
  scope: null,
  by: OPERATOR,
  store,
  keyring: createKeyring(store, store.kind === 'sandbox' ? 'test' : 'live', randomBytes),
  patientsInLists: 'initials',
  staffDocuments: 'none',
  offersNotices: false,
  running: null,
  at,
  newId: randomUUID,
  newSecret: () => randomBytes(WEBHOOK_SECRET_BYTES),
  // The service that sends runs in another process, if at all.
  attemptWithinMs: 0,
  pause: async () => {},
})
