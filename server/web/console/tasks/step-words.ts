/** The next step for a task in the language of the page. A text to copy is for another person, and stays in English. */
import type { NextStep } from '../../../operations/operator/messages/tasks.ts'
import { t } from '../../words/words.ts'

export function stepInWords({ reason, values }: NextStep): string {
  const { npi = '', signer = '', sender = '', receiver = '' } = values
  return t(`step.${reason}`, { npi, signer, sender, receiver })
}

export function actInWords({ reason, act, values: { npi = '', sender = '' } }: NextStep): string {
  switch (act.kind) {
    case 'review':
      return t('stepAct.review')
    case 'resend':
      return t('stepAct.resend')
    case 'remind':
      return t('stepAct.remind')
    case 'copy':
      if (reason === 'signerSlow') return t('stepAct.copyReminder')
      return t(isOperators.includes(reason) ? 'stepAct.copyOperator' : 'stepAct.copySender')
    case 'open':
      if (reason === 'unknownSigner') return t('stepAct.open.signer', { npi })
      if (reason === 'ingestionOff') return t('stepAct.open.sender', { sender })
      if (reason === 'ingesting') return t('stepAct.open.instances')
      if (reason === 'receiverOff') return t('stepAct.open.receiver')
      return t(reason === 'unstampable' ? 'stepAct.open.organization' : 'stepAct.open.signers')
  }
}

/** Reasons that only the operator can do something about. */
const isOperators: readonly NextStep['reason'][] = [
  'review',
  'ingesting',
  'unknownSigner',
  'noOrganization',
  'signerInactive',
]
