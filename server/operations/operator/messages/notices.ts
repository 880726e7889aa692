/** The e-mails to a signer as the operator's interface shows and takes them. */
import type * as z from 'zod'
import { EmailAddress, Notices, NoticesBody } from '../../notices.ts'

export const StoredNotices = Notices.omit({ isOffered: true })
export type StoredNotices = z.infer<typeof StoredNotices>

export const ProviderNoticesBody = NoticesBody.extend({
  /** Null takes it away. */
  address: EmailAddress.nullable(),
})
export type ProviderNoticesBody = z.input<typeof ProviderNoticesBody>
