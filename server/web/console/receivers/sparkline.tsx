/** How the attempts at a receiver ended in each of the last 24 hours: accepted above the line, failed below it. */
import type { Receiver } from '../../../operations/operator/messages/receivers.ts'
import { grouped } from '../../shared/format.ts'
import { t } from '../../words/words.ts'

const [STEP, BAR, HEIGHT] = [6, 4, 14]

export function Sparkline({ hours }: Pick<Receiver, 'hours'>) {
  const most = Math.max(1, ...hours.flatMap(({ accepted, failed }) => [accepted, failed]))
  const sum = (name: 'accepted' | 'failed') => grouped(hours.reduce((total, hour) => total + hour[name], 0))
  // The smallest number is still seen.
  const high = (number: number) => (number === 0 ? 0 : Math.max(2, Math.round((number / most) * HEIGHT)))
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={t('receiver.sparkline', { accepted: sum('accepted'), failed: sum('failed') })}
      viewBox={`0 0 ${hours.length * STEP} ${2 * HEIGHT}`}
      width={hours.length * STEP}
      height={2 * HEIGHT}
    >
      <line x1="0" x2={hours.length * STEP} y1={HEIGHT} y2={HEIGHT} />
      {hours.map(({ accepted, failed }, n) => [
        <rect
          key={`+${n}`}
          class="accepted"
          x={n * STEP}
          y={HEIGHT - high(accepted)}
          width={BAR}
          height={high(accepted)}
        />,
        <rect key={`-${n}`} class="failed" x={n * STEP} y={HEIGHT} width={BAR} height={high(failed)} />,
      ])}
    </svg>
  )
}
