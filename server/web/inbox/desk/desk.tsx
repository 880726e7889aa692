/** Where a document is signed or rejected: its pages, its fields, and a guide through what is required. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Opened, RejectBody, SignBody } from '../../../operations/signer/messages.ts'
import type { Reader } from '../../pdf/reader.ts'
import { announce } from '../../shared/announce.tsx'
import { call, sentenceOf } from '../../shared/api.ts'
import { ownTimeZone } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { ReasonDialog } from '../../shared/reason-dialog.tsx'
import { SignatureDialog } from '../dialogs/signature-dialog.tsx'
import { TextDialog } from '../dialogs/text-dialog.tsx'
import { type Draft, draftOf, dropDraft, keepDraft, type Signature } from './draft.ts'
import { fieldId } from './field-view.tsx'
import { Guide } from './guide.tsx'
import { Pages } from './pages.tsx'
import { nextStep, stepsOf } from './steps.ts'
import { Summary } from './summary.tsx'

interface DeskProps {
  opened: Opened
  reader: Reader
  /** It waits no more: withdrawn, or dealt with elsewhere. */
  isGone: boolean
  onDone(taskId: number): Promise<void>
  onFailed(): Promise<void>
}

type Asking = { what: 'signature' | 'rejection' } | { what: 'text'; index: number } | null

export function Desk({ opened, reader, isGone, onDone, onFailed }: DeskProps) {
  const { taskId, patient } = opened
  const [draft, setDraft] = useState<Draft>(() => draftOf(opened))
  const [asking, setAsking] = useState<Asking>(null)
  const [isBusy, setBusy] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef<number | null>(null)
  useEffect(() => heading.current?.focus(), [])

  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    keepDraft(taskId, next)
    setDraft(next)
  }
  const fill = (index: number, value: string | boolean) => change({ values: { ...draft.values, [index]: value } })
  const steps = stepsOf(opened, draft)
  const next = nextStep(steps, last.current)

  const visit = (index: number) => {
    last.current = index
    const control = document.getElementById(fieldId(index))
    control?.scrollIntoView({ block: 'center', behavior: calm() ? 'instant' : 'smooth' })
    control?.focus({ preventScroll: true })
  }
  const finish = async (act: () => Promise<void>, done: string) => {
    setBusy(true)
    try {
      await act()
      dropDraft(taskId)
      announce(done)
      await onDone(taskId)
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
      setBusy(false)
      await onFailed()
    }
  }
  const sign = () =>
    finish(
      () => call('POST', `/inbox/api/documents/${taskId}/sign`, signBody(opened, draft)),
      `Signed: ${opened.documentType} of ${patient.name}.`,
    )
  const reject = (reason: string) => {
    setAsking(null)
    const body: RejectBody = { reason }
    return finish(
      () => call('POST', `/inbox/api/documents/${taskId}/reject`, body),
      `Rejected: ${opened.documentType} of ${patient.name}.`,
    )
  }
  const adopt = (signature: Signature) => {
    change({ signature })
    setAsking(null)
  }

  return (
    <main class="desk" aria-busy={isBusy}>
      <div class="desk-head">
        <a class="button quiet" href="#/">
          <Icon name="back" /> Inbox
        </a>
        <h1 ref={heading} tabIndex={-1}>
          {patient.name}
        </h1>
        <span class="desk-type">{opened.documentType}</span>
      </div>
      <Summary opened={opened} />
      <Pages
        opened={opened}
        reader={reader}
        draft={draft}
        steps={steps}
        next={next}
        onValue={fill}
        onSign={() => setAsking({ what: 'signature' })}
        onWrite={(index) => setAsking({ what: 'text', index })}
      />
      <Guide
        whom={patient.name}
        steps={steps}
        next={next}
        isBusy={isBusy}
        isGone={isGone && !isBusy}
        onVisit={visit}
        onSign={() => void sign()}
        onReject={() => setAsking({ what: 'rejection' })}
      />
      {asking?.what === 'signature' && (
        <SignatureDialog signingName={opened.signingName} onAdopt={adopt} onClose={() => setAsking(null)} />
      )}
      {asking?.what === 'rejection' && (
        <ReasonDialog
          title="Reject this document"
          text="It leaves your inbox. The sender sees your reason."
          verb="Reject document"
          usual={USUAL_REASONS}
          onReason={(reason) => void reject(reason)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.what === 'text' && (
        <TextDialog
          title={steps.find(({ index }) => index === asking.index)!.label}
          value={String(draft.values[asking.index] ?? '')}
          onDone={(text) => {
            fill(asking.index, text)
            setAsking(null)
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </main>
  )
}

const USUAL_REASONS = ['Not my patient', 'The order is not correct', 'Please send to the attending physician'] as const

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

const signBody = ({ sha256 }: Opened, { values, signature }: Draft): SignBody => ({
  sha256,
  values,
  drawn: signature?.kind === 'drawn' ? signature.png : null,
  keep: signature?.kind === 'drawn' && signature.keep,
  timeZone: ownTimeZone(),
})
