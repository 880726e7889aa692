/** Puts another seed in place of that of the sandbox: a JSON file, what is wrong with it, and what it removes. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { ApiError, sentenceOf } from '../shared/api.ts'
import { announceFailure } from '../shared/connection.tsx'
import { ConfirmDialog } from '../shared/dialogs/confirm-dialog.tsx'
import { Dialog } from '../shared/dialogs/dialog.tsx'
import { FileDrop } from '../shared/file-drop.tsx'
import { roomCall, type SeedCheck } from './room-api.ts'

interface MadeKey {
  organization: string
  key: string
}

type Step =
  | { is: 'choose'; errors: readonly string[] }
  | { is: 'confirm'; fileName: string; seed: unknown; check: SeedCheck }
  | { is: 'done'; keys: readonly MadeKey[] }

interface SeedFormProps {
  /** Called when the sandbox has the other seed. */
  onSeeded(): void
}

export function SeedForm({ onSeeded }: SeedFormProps) {
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const take = async (file: File) => {
    const seed = parsed(await file.text())
    if (seed === undefined) return setStep({ is: 'choose', errors: [`${file.name} is not JSON.`] })
    try {
      const check = await roomCall<SeedCheck>('POST', 'seed/check', seed)
      setStep({ is: 'confirm', fileName: file.name, seed, check })
    } catch (failure) {
      setStep({ is: 'choose', errors: failure instanceof ApiError ? failure.withPaths : [sentenceOf(failure)] })
    }
  }
  const apply = async (seed: unknown) => {
    try {
      setStep({ is: 'done', keys: await roomCall<MadeKey[]>('POST', 'seed', seed) })
      announce('The sandbox is as the seed says.')
      onSeeded()
    } catch (failure) {
      announceFailure(failure)
      close()
    }
  }

  return (
    <>
      <button type="button" onClick={() => setStep({ is: 'choose', errors: [] })}>
        Use a seed…
      </button>
      {step?.is === 'choose' && (
        <Dialog title="Use a seed" onClose={close}>
          <div class="room-seed">
            <p>
              A seed is a JSON file with the organizations, signers, people, templates, and orders of a sandbox. Nothing
              changes before you confirm.
            </p>
            <FileDrop accept="application/json,.json" onFile={take}>
              Drop a seed here, or choose one
            </FileDrop>
            <div role="alert">
              {step.errors.length > 0 && (
                <ul class="problem room-errors">
                  {step.errors.map((error) => (
                    <li key={error}>{error}</li>
                  ))}
                </ul>
              )}
            </div>
          </div>
          <div class="actions">
            <button type="button" onClick={close}>
              Back
            </button>
          </div>
        </Dialog>
      )}
      {step?.is === 'confirm' && (
        <ConfirmDialog
          title={`Start over from ${step.fileName}?`}
          verb="Start over from it"
          onConfirm={() => void apply(step.seed)}
          onClose={close}
        >
          This concerns all organizations. Tasks, documents, patients, events, catchers, scenarios, snapshots, and
          faults are removed, and the clock returns to the real time.{' '}
          {removed('Organizations', step.check.organizations)} {removed('Signers', step.check.signers)}
        </ConfirmDialog>
      )}
      {step?.is === 'done' && step.keys.length > 0 && (
        <Dialog title="Keys of the new organizations" onClose={close}>
          <p>They are shown once. Copy them now.</p>
          <dl class="room-keys">
            {step.keys.map(({ organization, key }) => (
              <div key={organization}>
                <dt>{organization}</dt>
                <dd>
                  <code>{key}</code>
                </dd>
              </div>
            ))}
          </dl>
          <div class="actions">
            <button type="button" onClick={close}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

const removed = (what: string, names: readonly string[]) =>
  names.length === 0 ? `No ${what.toLowerCase()} are removed.` : `${what} that are removed: ${names.join(', ')}.`

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
