/** Keeps the state of the sender for a demonstration, and brings it back. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { ConfirmDialog } from '../shared/dialogs/confirm-dialog.tsx'
import { exactTime } from '../shared/format.ts'
import { t } from '../words/words.ts'
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
      <button type="button" onClick={() => void act(roomCall('POST', 'snapshots', { name: NAME }), t('kept.done'))}>
        {t('kept.keep')}
      </button>
      {kept && (
        <button type="button" onClick={() => setAsking(true)}>
          {t('kept.bring')}
        </button>
      )}
      {isAsking && kept && (
        <ConfirmDialog
          title={t('kept.ask')}
          verb={t('kept.bring')}
          onConfirm={() => void act(roomCall('POST', `snapshots/${NAME}/restore`), t('kept.back')).then(onRestore)}
          onClose={() => setAsking(false)}
        >
          {t('kept.text', { count: kept.tasks, time: exactTime(kept.at) })}
        </ConfirmDialog>
      )}
    </>
  )
}
