/** Cards of what can go wrong: a switch each, what a good integration does then, and whether the traffic proves it. */
import { announceFailure } from '../shared/connection.tsx'
import { t } from '../words/words.ts'
import { type Card, roomCall } from './room-api.ts'
import { useLooks } from './use-looks.ts'

export function Lessons() {
  const [cards, again] = useLooks<Card[]>('lessons')
  const turn = async ({ name, isOn }: Card) => {
    try {
      await roomCall('POST', `lessons/${name}`, { isOn: !isOn })
    } catch (failure) {
      announceFailure(failure)
    }
    await again()
  }
  return (
    <section class="panel room-lessons" aria-labelledby="room-lessons">
      <h2 id="room-lessons">{t('lesson.title')}</h2>
      <ul>
        {(cards ?? []).map((card) => (
          <li key={card.name} class={card.isOn ? 'on' : ''}>
            <label class="check">
              <input type="checkbox" checked={card.isOn} onChange={() => void turn(card)} />
              <strong>{card.title}</strong>
              {card.hits > 0 && <span class="badge">{t('lesson.times', { count: card.hits })}</span>}
            </label>
            <p>{card.does}</p>
            <p class="room-good">
              <span>{t('lesson.good')}</span> {card.good}
            </p>
            <p role="status" class={card.verdict?.isGood ? 'room-proved' : 'problem'}>
              {card.verdict && `${card.verdict.isGood ? '✔' : '✖'} ${card.verdict.why}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
