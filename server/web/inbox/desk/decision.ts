/** Signs or rejects an open document, and says so to the signer. */
import { useState } from 'preact/hooks'
import type { Opened, SignBody } from '../../../operations/signer/messages.ts'
import { announce } from '../../shared/announce.tsx'
import { ApiError } from '../../shared/api.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { ownTimeZone } from '../../shared/format.ts'
import { unturned } from '../../shared/text/given-text.tsx'
import { t } from '../../words/words.ts'
import { dropDraft } from '../drafts/drafts.ts'
import { type Decision, settle } from '../outcome/settle.ts'
import type { Draft } from './draft.ts'

interface Following {
  /** After the document was signed, before `onDone`. */
  onSigned(): void
  /** After the document was signed or rejected. */
  onDone(taskId: number): Promise<void>
  /** After the service refused, or did not answer. */
  onFailed(): Promise<void>
  /** After the service refused because document, ink or task are no longer as they were shown. */
  onRefused(): void
}

export function useDecision(opened: Opened, draft: Draft, { onSigned, onDone, onFailed, onRefused }: Following) {
  const [isBusy, setBusy] = useState(false)
  const { taskId, documentType, patient } = opened
  const decide = async (decision: Decision) => {
    setBusy(true)
    try {
      await settle(taskId, decision)
      dropDraft(taskId)
      const what = { type: documentType, name: unturned(patient.name) }
      announce(decision.is === 'sign' ? t('desk.signedOf', what) : t('desk.rejectedOf', what))
      if (decision.is === 'sign') onSigned()
      await onDone(taskId)
    } catch (failure) {
      announceFailure(failure)
      setBusy(false)
      if (failure instanceof ApiError && failure.status === 409) onRefused()
      await onFailed()
    }
  }
  return {
    isBusy,
    /** @param inkedSha256 of the document with the ink that the signer saw */
    sign: (inkedSha256: string) => decide({ is: 'sign', body: signBody(opened, draft, inkedSha256) }),
    reject: (reason: string) => decide({ is: 'reject', body: { reason } }),
  }
}

/**
 * Returns what is sent to sign the document as it is filled in.
 *
 * @param inkedSha256 of the document with the ink that the signer saw
 */
export const signBody = ({ sha256, consent }: Opened, { values, signature }: Draft, inkedSha256: string): SignBody => ({
  sha256,
  inkedSha256,
  values,
  drawn: signature?.kind === 'drawn' ? signature.png : null,
  keep: signature?.kind === 'drawn' && signature.keep,
  timeZone: ownTimeZone(),
  consent: consent.version,
})
