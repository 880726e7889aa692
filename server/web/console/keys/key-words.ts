/** The sentences of the pages about a key. */
import type { ListedKey } from '../../../operations/operator/messages/keys.ts'
import { t } from '../../words/words.ts'

export const keyName = ({ description, last4 }: ListedKey): string =>
  description ? t('key.named', { description, last4 }) : t('key.unnamed', { last4 })

export const isValid = ({ expiresAt, revokedAt }: ListedKey, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now.getTime())

/** Returns how many requests it made in the last days. */
export const requestsOf = ({ requests }: ListedKey): number => requests.reduce((sum, { count }) => sum + count, 0)
