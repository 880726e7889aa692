/** Says on every page of a sandbox that this is one, what its clock says where that is not the time, and the way to other pages. */
import { useEffect, useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { localTime } from './format.ts'
import { serviceTime } from './service-clock.ts'

interface SandboxBannerProps {
  text: string
  /** The page that another person would use. */
  other: { href: string; name: string }
}

export const SandboxBanner = ({ text, other }: SandboxBannerProps) => (
  <aside class="sandbox-banner" aria-label={t('sandbox.name')}>
    <p>
      {t('sandbox.says', { text })} <Clock /> <a href={other.href}>{other.name}</a>
      {location.pathname !== CONTROL_ROOM && (
        <>
          {' '}
          · <a href={CONTROL_ROOM}>{t('sandbox.controlRoom')}</a>
        </>
      )}
    </p>
  </aside>
)

const CONTROL_ROOM = '/sandbox'
const LOOK_EVERY_MS = 1_000
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]

function Clock() {
  const [now, setNow] = useState(serviceTime)
  useEffect(() => {
    const ticking = setInterval(() => setNow(serviceTime()), LOOK_EVERY_MS)
    return () => clearInterval(ticking)
  }, [])
  const aheadMs = now.getTime() - Date.now()
  if (aheadMs < MINUTE_MS) return null
  return <>{t('sandbox.clock', { time: localTime(now.toISOString()), ahead: ahead(aheadMs) })}</>
}

function ahead(givenMs: number): string {
  // An answer takes a moment to arrive.
  const ms = Math.round(givenMs / MINUTE_MS) * MINUTE_MS
  const [days = 0, hours = 0, minutes = 0] = [ms / DAY_MS, (ms % DAY_MS) / HOUR_MS, (ms % HOUR_MS) / MINUTE_MS].map(
    Math.floor,
  )
  if (days) return t('time.ahead.days', { days, hours })
  return hours ? t('time.ahead.hours', { hours, minutes }) : t('time.ahead.minutes', { minutes })
}
