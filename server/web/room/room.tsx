/** The control room: the clock above, and below it what can be sent, what was sent, and what can go wrong. */
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { sentenceOf } from '../shared/api.ts'
import { ConfirmDialog } from '../shared/dialogs/confirm-dialog.tsx'
import { PageHead } from '../shared/page-head.tsx'
import { useRoute } from '../shared/route.ts'
import { SandboxBanner } from '../shared/sandbox-banner.tsx'
import type { Visitor } from '../shared/sign-in/account.ts'
import { useTitle } from '../shared/title.ts'
import { Clock } from './clock.tsx'
import { KeptState } from './kept-state.tsx'
import { Lessons } from './lessons.tsx'
import { chooseOrganization, type RoomAnswer, roomCall } from './room-api.ts'
import { Present, Scenarios } from './scenarios.tsx'
import { Send } from './send.tsx'
import { Traffic } from './traffic.tsx'

const parts = { send: 'Send', traffic: 'Traffic', wrong: 'Go wrong', scenarios: 'Scenarios' } as const
type Part = keyof typeof parts

export function Room({ visitor, signOut }: { visitor: Visitor; signOut(): void }) {
  const heading = useTitle('Control room')
  const [room, setRoom] = useState<RoomAnswer | null>(null)
  const [isAsking, setAsking] = useState(false)
  const route = useRoute()
  const [, presented] = /^present\/([a-z0-9-]+)$/.exec(route) ?? []
  const part: Part = presented ? 'scenarios' : route in parts ? (route as Part) : 'send'

  const load = () =>
    roomCall<RoomAnswer>('GET', 'room').then(setRoom, (failure) => announce(sentenceOf(failure), 'wrong'))
  useEffect(() => void load(), [])
  const choose = (id: number) => {
    chooseOrganization(id)
    setRoom(null)
    void load()
  }
  const reset = async () => {
    try {
      await roomCall('POST', 'reset')
      announce('Reset: tasks, patients, events, faults, and the choices for signers are gone.')
      setRoom(null)
      await load()
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
    }
    setAsking(false)
  }

  return (
    <>
      <PageHead visitor={visitor} signOut={signOut}>
        <nav aria-label="Control room" class="room-tabs">
          {Object.entries(parts).map(([to, name]) => (
            <a key={to} href={`#/${to}`} aria-current={to === part ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </PageHead>
      <SandboxBanner text="nothing here is about a real patient." other={{ href: '/console', name: 'Console' }} />
      <main class="room" data-part={part}>
        {presented && <Present name={presented} />}
        <div class="room-head" hidden={presented !== undefined}>
          <h1 ref={heading} tabIndex={-1}>
            Control room
          </h1>
          {room && (
            <label class="room-organization">
              <span>Sender</span>
              <select
                value={room.organization.id}
                onChange={(event) => choose(Number((event.currentTarget as HTMLSelectElement).value))}
              >
                {room.organizations.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          {room && <KeptState key={room.organization.id} onRestore={() => void load()} />}
          <button type="button" class="danger" onClick={() => setAsking(true)}>
            Reset
          </button>
        </div>
        {room && (
          <div class="room-parts" key={room.organization.id} hidden={presented !== undefined}>
            <Clock />
            <Send room={room} onChange={load} />
            <Traffic />
            <Lessons />
            <Scenarios />
          </div>
        )}
      </main>
      {isAsking && room && (
        <ConfirmDialog
          title={`Reset ${room.organization.name}?`}
          verb="Reset"
          onConfirm={() => void reset()}
          onClose={() => setAsking(false)}
        >
          Its tasks, documents, patients, events, faults, and choices for signers are removed. Its keys, templates, and
          subscriptions stay, and the clock stays where it is.
        </ConfirmDialog>
      )}
    </>
  )
}
