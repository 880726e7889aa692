/** The dialog that asks the signer for something: a signature, the text of a field, or the reason of a rejection. */
import type { Opened } from '../../../operations/signer/messages.ts'
import { ReasonDialog } from '../../shared/dialogs/reason-dialog.tsx'
import { t } from '../../words/words.ts'
import { SignatureDialog } from '../dialogs/signature-dialog.tsx'
import { TextDialog } from '../dialogs/text-dialog.tsx'
import type { Draft, Signature } from './draft.ts'
import type { Step } from './guide/steps.ts'

/** The dialog that is open; the index is that of a field. */
export type Asked = { for: 'signature' | 'reason' } | { for: 'text'; index: number }

interface DeskDialogProps {
  asked: Asked
  opened: Opened
  draft: Draft
  steps: readonly Step[]
  onSignature(signature: Signature): void
  onForgotten(): void
  onText(index: number, text: string): void
  onReason(reason: string): void
  /** Called after an answer, too. */
  onClose(): void
}

const USUAL_REASONS = [t('desk.notMyPatient'), t('desk.incorrect'), t('desk.attending')] as const

export function DeskDialog(props: DeskDialogProps) {
  const { asked, opened, onSignature, onForgotten, onReason, onClose } = props
  switch (asked.for) {
    case 'signature':
      return (
        <SignatureDialog
          signingName={opened.signingName}
          onAdopt={(signature) => {
            onSignature(signature)
            onClose()
          }}
          onForgotten={onForgotten}
          onClose={onClose}
        />
      )
    case 'reason':
      return (
        <ReasonDialog
          title={t('desk.rejectTitle')}
          text={t('desk.rejectText')}
          verb={t('desk.rejectVerb')}
          usual={USUAL_REASONS}
          onReason={(reason) => {
            onClose()
            onReason(reason)
          }}
          onClose={onClose}
        />
      )
    case 'text':
      return <FieldText {...props} index={asked.index} />
  }
}

function FieldText({ opened, draft, steps, index, onText, onClose }: DeskDialogProps & { index: number }) {
  const { label, page, isRequired, isShort } = steps.find((step) => step.index === index)!
  return (
    <TextDialog
      title={t(isRequired ? 'desk.fieldRequired' : 'desk.fieldOptional', { label, page: page ?? '' })}
      initials={isShort ? opened.initials : null}
      value={String(draft.values[index] ?? '')}
      onDone={(text) => {
        onText(index, text)
        onClose()
      }}
      onClose={onClose}
    />
  )
}
