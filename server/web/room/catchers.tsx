/** Receivers that the sandbox itself has: what each answers, and a new one. What they receive is in the traffic. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { t } from '../words/words.ts'
import { type CatcherState, roomCall } from './room-api.ts'
import { useLooks } from './use-looks.ts'

const answers: Readonly<Record<CatcherState['answer'], string>> = {
  ok: t('catcher.ok'),
  error: t('catcher.error'),
  gone: t('catcher.gone'),
  slow: t('catcher.slow'),
  never: t('catcher.never'),
}

export function Catchers() {
  const [catchers, again] = useLooks<CatcherState[]>('catchers')
  const [name, setName] = useState('')
  const act = async (call: Promise<unknown>, done: string) => {
    try {
      await call
      announce(done)
      setName('')
    } catch (failure) {
      announceFailure(failure)
    }
    await again()
  }
  return (
    <details class="room-catchers">
      <summary>
        {catchers && catchers.length > 0 ? t('catcher.titleCount', { count: catchers.length }) : t('catcher.title')}
      </summary>
      <ul>
        {(catchers ?? []).map((catcher) => (
          <li key={catcher.name}>
            <bdi>{catcher.url}</bdi>
            <div class="room-steps">
              <label>
                {t('catcher.answers')}{' '}
                <select
                  value={catcher.answer}
                  onChange={(event) => {
                    const answer = (event.currentTarget as HTMLSelectElement).value
                    const call = roomCall('POST', 'catchers', { name: catcher.name, answer, subscribe: false })
                    void act(call, t('catcher.changed', { name: catcher.name }))
                  }}
                >
                  {Object.entries(answers).map(([answer, text]) => (
                    <option key={answer} value={answer}>
                      {text}
                    </option>
                  ))}
                </select>
              </label>
              <button
                type="button"
                class="quiet small"
                onClick={() =>
                  void act(roomCall('DELETE', `catchers/${catcher.name}`), t('catcher.removed', { name: catcher.name }))
                }
              >
                {t('verb.remove')}
              </button>
            </div>
          </li>
        ))}
      </ul>
      <form
        class="room-steps"
        onSubmit={(event) => {
          event.preventDefault()
          void act(roomCall('POST', 'catchers', { name }), t('catcher.made', { name }))
        }}
      >
        <input
          aria-label={t('catcher.nameOf')}
          placeholder={t('catcher.name')}
          required
          maxLength={40}
          pattern="[a-z0-9][a-z0-9\-]*"
          title={t('catcher.form')}
          value={name}
          onInput={(event) => setName((event.currentTarget as HTMLInputElement).value)}
        />
        <button type="submit">{t('catcher.add')}</button>
      </form>
    </details>
  )
}
