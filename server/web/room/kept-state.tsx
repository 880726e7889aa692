/** Keeps the state of the sender for a demonstration, and brings it back. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { ConfirmDialog } from '../shared/dialogs/confirm-dialog.tsx'
import { count, exactTime } from '../shared/format.ts'
import { roomCall, type Snapshot } from './room-api.ts'
import { useLooks } from './use-looks.ts'

/** The snapshot that this page takes; programs give theirs other names. */
const NAME = 'control-room'

export function KeptState({ onRestore }: { onRestore(): void }) {
  const [snapshots, again] = useLooks<Snapshot[]>('snapshots')
  const [isAsking, setAsking] = useState(false)
  const kept = snapshots?.find(({ name }) => name === NAME)
  const act = async (call: Promise<unknown>, done: string) => {
    try {
      await call
      announce(done)
    } catch (failure) {
      announceFailure(failure)
    }
    setAsking(false)
    await again()
  }
  return (
    <>
      <button
        type="button"
        onClick={() =>
          void act(roomCall('POST', 'snapshots', { name: NAME }), 'Kept. “Bring back” returns to this state.')
        }
      >
        Keep state
      </button>
      {kept && (
        <button type="button" onClick={() => setAsking(true)}>
          Bring back
        </button>
      )}
      {isAsking && kept && (
        <ConfirmDialog
          title="Bring back the state that was kept?"
          verb="Bring back"
          onConfirm={() =>
            void act(roomCall('POST', `snapshots/${NAME}/restore`), 'The state that was kept is back.').then(onRestore)
          }
          onClose={() => setAsking(false)}
        >
          It has {count(kept.tasks, 'task')} and is of {exactTime(kept.at)}. All that came after it is removed, webhooks
          that wait included. The clock stays where it is.
        </ConfirmDialog>
      )}
    </>
  )
}
