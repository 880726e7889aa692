/** Shows the way to the control room where there is one: in a sandbox. */
import type { Account } from '../http/callers/account.ts'
import { call, SESSION } from './shared/api.ts'

const { isTest } = await call<Account>('GET', SESSION, undefined, { isUse: false })
document.querySelector('#control-room')?.toggleAttribute('hidden', !isTest)
