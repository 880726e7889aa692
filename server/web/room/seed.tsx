/** Puts another seed in place of that of the sandbox: a JSON file, what is wrong with it, and what it removes. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { ApiError, sentenceOf } from '../shared/api.ts'
import { announceFailure } from '../shared/connection.tsx'
import { ConfirmDialog } from '../shared/dialogs/confirm-dialog.tsx'
import { Dialog } from '../shared/dialogs/dialog.tsx'
import { FileDrop } from '../shared/file-drop.tsx'
import { listed, t } from '../words/words.ts'
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
    if (seed === undefined) return setStep({ is: 'choose', errors: [t('seed.notJson', { name: file.name })] })
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
      announce(t('seed.done'))
      onSeeded()
    } catch (failure) {
      announceFailure(failure)
      close()
    }
  }

  return (
    <>
      <button type="button" onClick={() => setStep({ is: 'choose', errors: [] })}>
        {t('seed.use')}
      </button>
      {step?.is === 'choose' && (
        <Dialog title={t('seed.title')} onClose={close}>
          <div class="room-seed">
            <p>{t('seed.text')}</p>
            <FileDrop accept="application/json,.json" onFile={take}>
              {t('seed.drop')}
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
              {t('verb.back')}
            </button>
          </div>
        </Dialog>
      )}
      {step?.is === 'confirm' && (
        <ConfirmDialog
          title={t('seed.ask', { name: step.fileName })}
          verb={t('seed.verb')}
          onConfirm={() => void apply(step.seed)}
          onClose={close}
        >
          {t('seed.confirm')} {removed('organizations', step.check.organizations)}{' '}
          {removed('signers', step.check.signers)}
        </ConfirmDialog>
      )}
      {step?.is === 'done' && step.keys.length > 0 && (
        <Dialog title={t('seed.keys')} onClose={close}>
          <p>{t('seed.once')}</p>
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
              {t('verb.close')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

const removed = (what: 'organizations' | 'signers', names: readonly string[]) =>
  names.length === 0 ? t(`seed.${what}None`) : t(`seed.${what}`, { names: listed(names) })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
