/** The names of fields that an error of the service names by their path. */
import { t } from '../../words/words.ts'
import type { FieldNames } from './error-words.ts'

export const fieldNames: FieldNames = {
  npi: t('fieldName.npi'),
  userNPI: t('fieldName.userNPI'),
  email: t('fieldName.email'),
  expiresAt: t('fieldName.expiresAt'),
  keyId: t('fieldName.keyId'),
  organizationId: t('fieldName.organizationId'),
  organizationIds: t('fieldName.organizationIds'),
  personName: t('fieldName.personName'),
  until: t('fieldName.until'),
  name: t('fieldName.name'),
  password: t('fieldName.password'),
  reason: t('fieldName.reason'),
  postalCode: t('fieldName.postalCode'),
  description: t('fieldName.description'),
}
