/** How signers are notified by e-mail that documents wait, for the operator, who may also set an address without a code. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { Npi } from '../../../lib/contract/primitives.ts'
import { ProviderNoticesBody, StoredNotices } from './messages/notices.ts'
import { OPERATOR_ALONE, operatorRow } from './operator-context.ts'
import { foundProvider } from './providers.ts'

const about = {
  path: '/admin/v1/providers/:npi/notices',
  group: 'Providers',
  who: OPERATOR_ALONE,
  params: z.object({ npi: Npi }),
} as const

export const readProviderNotices = operatorRow({
  ...about,
  method: 'get',
  summary: 'Read how a provider is notified by e-mail of waiting documents',
  responses: { 200: StoredNotices, 404: ErrorBody },
  async run(context, { params: { npi } }) {
    await foundProvider(context, npi)
    const { enteredAt: _, ...setting } = await context.store.notices.of(npi)
    return setting
  },
})

export const setProviderNotices = operatorRow({
  ...about,
  method: 'post',
  summary: 'Set when and where a provider is notified by e-mail; the address needs no code',
  body: ProviderNoticesBody,
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { npi }, body }) {
    await foundProvider(context, npi)
    const { store, by, at, newId } = context
    await store.notices.choose(npi, body, newId(), { by, at })
  },
})
