/** Receivers that the sandbox itself has: what each answers, and a new one. What they receive is in the traffic. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { type CatcherState, roomCall } from './room-api.ts'
import { useLooks } from './use-looks.ts'

const answers: Readonly<Record<CatcherState['answer'], string>> = {
  ok: '200, at once',
  error: '500: the service tries again',
  gone: '410: the subscription ends',
  slow: '200, after 8 seconds',
  never: 'Nothing',
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
      <summary>Catch webhooks here{catchers && catchers.length > 0 ? `: ${catchers.length}` : ''}</summary>
      <ul>
        {(catchers ?? []).map((catcher) => (
          <li key={catcher.name}>
            <bdi>{catcher.url}</bdi>
            <div class="room-steps">
              <label>
                Answers{' '}
                <select
                  value={catcher.answer}
                  onChange={(event) => {
                    const answer = (event.currentTarget as HTMLSelectElement).value
                    const call = roomCall('POST', 'catchers', { name: catcher.name, answer, subscribe: false })
                    void act(call, `${catcher.name} answers otherwise from now on.`)
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
                onClick={() => void act(roomCall('DELETE', `catchers/${catcher.name}`), `${catcher.name} is removed.`)}
              >
                Remove
              </button>
            </div>
          </li>
        ))}
      </ul>
      <form
        class="room-steps"
        onSubmit={(event) => {
          event.preventDefault()
          void act(roomCall('POST', 'catchers', { name }), `Every change of status is sent to ${name} from now on.`)
        }}
      >
        <input
          aria-label="Name of a new catcher"
          placeholder="name"
          required
          maxLength={40}
          pattern="[a-z0-9][a-z0-9\-]*"
          title="small letters, digits and hyphens"
          value={name}
          onInput={(event) => setName((event.currentTarget as HTMLInputElement).value)}
        />
        <button type="submit">Catch and subscribe</button>
      </form>
    </details>
  )
}
