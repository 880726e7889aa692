/** The worker that sends notices by e-mail, as the settings have it. */
import { randomInt } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { Settings } from '../config.ts'
import { bareHost } from '../domain/delivery/target.ts'
import { proxyFor, proxyOf } from '../domain/proxy-place.ts'
import type { Store } from '../store/store.ts'
import { createMailer } from '../workers/notices/mailer.ts'
import { createNotices, type Notices } from '../workers/notices/notices.ts'

export interface NoticesSurroundings {
  store: Store
  clock: Clock
  /** Returns a number from 0 to 1. */
  random(): number
  onFault(fault: unknown): void
}

/** Returns null when there is no mail server. */
export function noticesOf(
  { smtpUrl: url, smtpFrom: from, smtpPassword: password, smtpTls: tls, smtpCa: ca, ...settings }: Settings,
  surroundings: NoticesSurroundings,
): Notices | null {
  const { publicUrl, noticeSenders: namesSenders } = settings
  if (!url || !from || !publicUrl) return null
  const mailer = createMailer({
    url,
    from,
    password,
    tls,
    ca,
    proxy: proxyFor(bareHost(new URL(url)), proxyOf(settings)),
  })
  const newCode = () => String(randomInt(1_000_000)).padStart(6, '0')
  return createNotices({ ...surroundings, mailer, newCode, publicUrl, namesSenders })
}
