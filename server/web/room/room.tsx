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
import { t } from '../words/words.ts'
import { Clock } from './clock.tsx'
import { KeptState } from './kept-state.tsx'
import { Lessons } from './lessons.tsx'
import { chooseOrganization, type RoomAnswer, roomCall } from './room-api.ts'
import { Present, Scenarios } from './scenarios.tsx'
import { SeedForm } from './seed.tsx'
import { Send } from './send.tsx'
import { Teams } from './teams.tsx'
import { Traffic } from './traffic.tsx'

const parts = {
  send: t('room.send'),
  traffic: t('room.traffic'),
  wrong: t('lesson.title'),
  scenarios: t('room.scenarios'),
} as const
type Part = keyof typeof parts

export function Room({ visitor, signOut }: { visitor: Visitor; signOut(): void }) {
  const heading = useTitle(t('sandbox.controlRoom'))
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
      announce(asked === 'everything' ? t('room.resetAll') : t('room.resetOne'))
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
        <nav aria-label={t('sandbox.controlRoom')} class="room-tabs">
          {Object.entries(parts).map(([to, name]) => (
            <a key={to} href={`#/${to}`} aria-current={to === part ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </PageHead>
      <SandboxBanner text={t('sandbox.noPatient')} other={{ href: '/console', name: t('place.console') }} />
      <main class="room" data-part={part}>
        {!presented && <Teams />}
        {presented && <Present name={presented} />}
        <div class="room-head" hidden={presented !== undefined}>
          <h1 ref={heading} tabIndex={-1}>
            {t('sandbox.controlRoom')}
          </h1>
          {room && (
            <label class="room-organization">
              <span>{t('room.sender')}</span>
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
            {t('room.reset')}
          </button>
          {visitor.role === 'operator' && (
            <button type="button" class="danger" onClick={() => ask('everything')}>
              {t('room.over')}
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
          title={t('room.resetAsk', { name: room.organization.name })}
          verb={t('room.reset')}
          onConfirm={() => void reset()}
          onClose={() => ask(null)}
        >
          {t('room.resetText')}
        </ConfirmDialog>
      )}
      {asked === 'everything' && (
        <ConfirmDialog
          title={t('room.overAsk')}
          verb={t('room.over')}
          onConfirm={() => void reset()}
          onClose={() => ask(null)}
        >
          {t('room.overText')}
        </ConfirmDialog>
      )}
    </>
  )
}
