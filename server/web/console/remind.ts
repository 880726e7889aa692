/** Has the service send a signer an e-mail that says how many documents wait. */
import { act } from './act.ts'

export const remind = (npi: string) =>
  act('POST', `/providers/${npi}/remind`, { done: 'The reminder is on its way to the mail server.' })
