/** Where a document is signed or rejected: its pages, its fields, and a guide through what is required. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Opened } from '../../../operations/signer/messages.ts'
import type { Reader } from '../../pdf/reader.ts'
import { announce } from '../../shared/announce.tsx'
import { Icon } from '../../shared/icon.tsx'
import { useDecision } from './decision.ts'
import { type Asked, DeskDialog } from './desk-dialog.tsx'
import { useDraft } from './draft.ts'
import { fieldId } from './field-view.tsx'
import { Guide } from './guide.tsx'
import { useLook } from './look.ts'
import { Pages } from './pages.tsx'
import { usePreview } from './preview.ts'
import { nextStep, stepsOf } from './steps.ts'
import { Summary } from './summary.tsx'

interface DeskProps {
  opened: Opened
  /** The document as it is on record, which `reader` shows. */
  pdf: Blob
  reader: Reader
  /** The document no longer waits: it was withdrawn, or signed or rejected elsewhere. */
  isGone: boolean
  onDone(taskId: number): Promise<void>
  onFailed(): Promise<void>
}

export function Desk({ opened, pdf, reader, isGone, onDone, onFailed }: DeskProps) {
  const { draft, fill, adopt } = useDraft(opened)
  const { preview, isCurrent, problem, renew } = usePreview(opened, pdf, draft)
  const look = useLook(opened, draft)
  const lookAgain = () => {
    look.forget()
    renew()
  }
  const { isBusy, sign, reject } = useDecision(opened, draft, { onDone, onFailed, onRefused: lookAgain })
  const [asked, setAsked] = useState<Asked | null>(null)
  const lastVisited = useRef<number | null>(null)
  const steps = stepsOf(opened, draft)
  const next = nextStep(steps, lastVisited.current)
  const visit = (index: number) => {
    lastVisited.current = index
    showField(index)
  }
  const signAsSeen = () => {
    const unseen = look.unseen()
    if (!isCurrent || !preview) {
      announce(problem, 'wrong')
      renew()
    } else if (unseen !== null) {
      announce('This field was not in sight with its final content. Look at it, then sign.')
      showField(unseen)
    } else void sign(preview.sha256)
  }

  return (
    <main class="desk" aria-busy={isBusy}>
      <DeskHead opened={opened} />
      <Summary opened={opened} />
      <Pages
        opened={opened}
        reader={reader}
        preview={preview}
        look={look}
        draft={draft}
        steps={steps}
        next={next}
        onValue={fill}
        onSign={() => setAsked({ for: 'signature' })}
        onWrite={(index) => setAsked({ for: 'text', index })}
      />
      <Guide
        patientName={opened.patient.name}
        steps={steps}
        next={next}
        isBusy={isBusy}
        isPreparing={isCurrent ? !look.isDrawn(preview!) : problem === ''}
        isGone={isGone && !isBusy}
        onVisit={visit}
        onSign={signAsSeen}
        onReject={() => setAsked({ for: 'reason' })}
      />
      {asked && (
        <DeskDialog
          asked={asked}
          opened={opened}
          draft={draft}
          steps={steps}
          onSignature={adopt}
          onText={fill}
          onReason={(reason) => void reject(reason)}
          onClose={() => setAsked(null)}
        />
      )}
    </main>
  )
}

function DeskHead({ opened: { patient, documentType } }: { opened: Opened }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div class="desk-head">
      <a class="button quiet" href="#/">
        <Icon name="back" /> Inbox
      </a>
      <h1 ref={heading} tabIndex={-1}>
        {patient.name}
      </h1>
      <span class="desk-type">{documentType}</span>
    </div>
  )
}

/** Scrolls to a field and puts the focus on it. */
function showField(index: number) {
  const control = document.getElementById(fieldId(index))
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  control?.scrollIntoView({ block: 'center', behavior: isCalm ? 'instant' : 'smooth' })
  control?.focus({ preventScroll: true })
}
