/** The control room: the clock above, and below it what can be sent, what was sent, and what can go wrong. */
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
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
import { SeedForm } from './seed.tsx'
import { Send } from './send.tsx'
import { Teams } from './teams.tsx'
import { Traffic } from './traffic.tsx'

const parts = { send: 'Send', traffic: 'Traffic', wrong: 'Go wrong', scenarios: 'Scenarios' } as const
type Part = keyof typeof parts

export function Room({ visitor, signOut }: { visitor: Visitor; signOut(): void }) {
  const heading = useTitle('Control room')
  const [room, setRoom] = useState<RoomAnswer | null>(null)
  /** The part that a reset which waits for a confirmation would return to the start. */
  const [asked, ask] = useState<'organization' | 'everything' | null>(null)
  const route = useRoute()
  const [, presented] = /^present\/([a-z0-9-]+)$/.exec(route) ?? []
  const part: Part = presented ? 'scenarios' : route in parts ? (route as Part) : 'send'

  const load = () => roomCall<RoomAnswer>('GET', 'room').then(setRoom, (failure) => announceFailure(failure))
  useEffect(() => void load(), [])
  const choose = (id: number) => {
    chooseOrganization(id)
    setRoom(null)
    void load()
  }
  const startAgain = () => {
    chooseOrganization(null)
    setRoom(null)
    void load()
  }
  const reset = async () => {
    try {
      await roomCall('POST', 'reset', { everything: asked === 'everything' })
      announce(
        asked === 'everything'
          ? 'Reset: everything is as after the start.'
          : 'Reset: tasks, patients, events, faults, catchers, and the choices for signers are gone.',
      )
      setRoom(null)
      await load()
    } catch (failure) {
      announceFailure(failure)
    }
    ask(null)
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
        {!presented && <Teams />}
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
          {visitor.role === 'operator' && <SeedForm onSeeded={startAgain} />}
          {room && <KeptState key={room.organization.id} onRestore={() => void load()} />}
          <button type="button" class="danger" onClick={() => ask('organization')}>
            Reset
          </button>
          {visitor.role === 'operator' && (
            <button type="button" class="danger" onClick={() => ask('everything')}>
              Start over
            </button>
          )}
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
      {asked === 'organization' && room && (
        <ConfirmDialog
          title={`Reset ${room.organization.name}?`}
          verb="Reset"
          onConfirm={() => void reset()}
          onClose={() => ask(null)}
        >
          Its tasks, documents, patients, events, faults, catchers, and choices for signers are removed. Its keys,
          templates, and subscriptions stay. The clock returns to the real time unless another organization has tasks.
        </ConfirmDialog>
      )}
      {asked === 'everything' && (
        <ConfirmDialog title="Start over?" verb="Start over" onConfirm={() => void reset()} onClose={() => ask(null)}>
          This concerns all organizations. Tasks, documents, patients, events, delegations, catchers, scenarios,
          snapshots, and faults are removed. Organizations, signers, accounts, and templates return to those of the
          seed, and the clock to the real time. Keys and subscriptions stay. People who are signed in stay signed in.
        </ConfirmDialog>
      )}
    </>
  )
}
