/** Where a document is signed or rejected: its pages, its fields, and a guide through what is required. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Opened } from '../../../operations/signer/messages.ts'
import { LeaveGuard } from '../../shared/dialogs/leave-guard.tsx'
import { Icon } from '../../shared/icon.tsx'
import { GivenText } from '../../shared/text/given-text.tsx'
import { t } from '../../words/words.ts'
import type { Adoption } from '../dialogs/adopted-signature.ts'
import { DraftNote, useKeeping } from '../drafts/draft-note.tsx'
import type { ServedReader } from '../pictures/served-reader.ts'
import { DocumentTools } from '../print/document-tools.tsx'
import { usePutting } from '../tray/putting.ts'
import { useShownPages } from '../tray/shown-pages.ts'
import type { Tray } from '../tray/tray.ts'
import { useDecision } from './decision.ts'
import { type Asked, DeskDialog } from './desk-dialog.tsx'
import type { Draft } from './draft.ts'
import { useFilling } from './filling.ts'
import { Guide } from './guide/guide.tsx'
import { nextStep, stepsOf } from './guide/steps.ts'
import { useSeenInk } from './ink/seen-ink.ts'
import { Pages } from './pages.tsx'
import { showField } from './show-field.ts'
import { Summary } from './summary.tsx'

/** The part of the inbox that the desk uses. */
export interface DeskContext {
  adoption: Adoption
  tray: Tray
  onDone(taskId: number): Promise<void>
  /** After the service refused, or did not answer. */
  onFailed(): Promise<void>
  /** The signer puts the document off. */
  onSkip(): void
  /** The document was put into the tray. */
  onPut(): void
}

interface DeskProps extends DeskContext {
  opened: Opened
  /** Shows the document as it is on record. */
  reader: ServedReader
  /** The draft as it was left before; null when there is none. */
  kept: Draft | null
  /** The document no longer waits: it was withdrawn, or signed or rejected elsewhere. */
  isGone: boolean
}

export function Desk({ opened, reader, kept, isGone, adoption, tray, ...around }: DeskProps) {
  const { taskId, initials, patient } = opened
  const { draft, write, place, give } = useFilling(opened, kept, adoption, () => tray.take(taskId))
  const { preview, look, isPreparing, isHeldUp, lookAgain, asSeen } = useSeenInk(opened, reader, draft)
  const { isBusy, sign, reject } = useDecision(opened, draft, {
    ...around,
    onSigned: adoption.kept,
    onRefused: lookAgain,
  })
  const { put, take } = usePutting(opened, draft, tray)
  const { isBlank, isUnread, readOn, onceShown, showWithPage } = useShownPages(reader.pages.length)
  const keeping = useKeeping(taskId)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [lastVisited, setLastVisited] = useState<number | null>(null)
  const steps = stepsOf(opened, draft)
  const next = nextStep(steps, lastVisited)
  const visit = (index: number) => {
    setLastVisited(index)
    showField(index)
  }
  const placeAndShow =
    place &&
    (() => {
      place()
      showWithPage(next!.index)
    })
  const askForSignature = () => setAsked({ for: 'signature' })

  return (
    <main class="desk" aria-busy={isBusy}>
      <DeskHead opened={opened} />
      <Pages
        opened={opened}
        reader={reader}
        preview={preview}
        look={look}
        draft={draft}
        steps={steps}
        next={next}
        onValue={write}
        onSign={draft.signature ? askForSignature : (place ?? askForSignature)}
        onWrite={(index) => setAsked({ for: 'text', index })}
      />
      <div class="side">
        <Guide
          taskId={taskId}
          patient={patient}
          onBehalfOf={opened.onBehalfOf}
          consent={opened.consent.text}
          steps={steps}
          next={next}
          hasBegun={lastVisited !== null}
          initials={initials}
          isInTray={tray.holds(taskId)}
          isBlank={isBlank}
          isUnread={isUnread}
          isBusy={isBusy}
          isPreparing={isPreparing}
          isHeldUp={isHeldUp}
          isGone={isGone && !isBusy}
          onVisit={visit}
          onPlace={placeAndShow}
          onInitials={(index) => write(index, initials)}
          onRead={readOn}
          onSign={() => asSeen((seen) => onceShown(() => void sign(seen.sha256)))}
          onPut={() => asSeen((seen) => onceShown(() => put(seen, around.onPut)))}
          onTake={take}
          onSkip={around.onSkip}
          onReject={() => setAsked({ for: 'reason' })}
        />
        <Summary opened={opened} />
        <DocumentTools opened={opened} reader={reader} />
        <DraftNote keeping={keeping} />
      </div>
      {asked && (
        <DeskDialog
          asked={asked}
          opened={opened}
          draft={draft}
          steps={steps}
          onSignature={give}
          onForgotten={adoption.forget}
          onText={write}
          onReason={(reason) => void reject(reason)}
          onClose={() => setAsked(null)}
        />
      )}
      <LeaveGuard
        title={t('desk.leaveTitle')}
        holdsPage={isBusy || asked !== null || (keeping !== undefined && typeof keeping !== 'number')}
        holdsPart={asked && t('desk.leaveText')}
      />
    </main>
  )
}

function DeskHead({ opened: { patient, documentType } }: { opened: Opened }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // In a layout effect, because the focus scrolls: later, it would take a quick signer back from the field that was just shown.
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <div class="desk-head">
      <a class="button quiet" href="#/">
        <Icon name="back" /> {t('inbox.is')}
      </a>
      <h1 ref={heading} tabIndex={-1}>
        <GivenText>{patient.name}</GivenText>
      </h1>
      <span class="desk-type">
        <GivenText>{documentType}</GivenText>
      </span>
    </div>
  )
}
