/** Has the service send a signer an e-mail that says how many documents wait. */
import { t } from '../words/words.ts'
import { act } from './act.ts'

export const remind = (npi: string) => act('POST', `/providers/${npi}/remind`, { done: t('remind.sent') })
