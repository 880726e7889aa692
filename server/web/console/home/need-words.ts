/** Words each need of an operator in the language of the page. */
import type { Desk } from '../../../operations/operator/messages/desk.ts'
import { waitingFor } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { listed, t } from '../../words/words.ts'

export function needInWords({ kind, values }: Desk['needs'][number]): string {
  const { name = '', oldest } = values
  const count = Number(values.count)
  const age = oldest === undefined ? '' : waitingFor(String(oldest), serviceTime().getTime())
  switch (kind) {
    case 'review':
      return t('need.review', { count, age })
    case 'pausedReceiver':
      return t(values.isDown === 'yes' ? 'need.down' : 'need.busy', { name, count })
    case 'undelivered':
      return t('need.undelivered', { name, count })
    case 'slowSigner':
      return t('need.slow', { name, count, age })
    case 'failedOrders':
      return t('need.failed', { count, why: listed(reasons.flatMap((reason) => whyIn(reason, values[reason]))) })
  }
}

const reasons = [
  'ingestionOff',
  'unknownSigner',
  'noOrganization',
  'noSignatureField',
  'noDocument',
  'givenUp',
  'unreadable',
] as const

const whyIn = (reason: (typeof reasons)[number], number: string | number | undefined) =>
  number === undefined ? [] : [`${t(`needReason.${reason}`)} ${number}`]
