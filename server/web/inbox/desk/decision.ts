/** What becomes of an open document: it is signed or rejected, and the signer is told. */
import { useState } from 'preact/hooks'
import type { Opened, RejectBody, SignBody } from '../../../operations/signer/messages.ts'
import { announce } from '../../shared/announce.tsx'
import { ApiError, call, sentenceOf } from '../../shared/api.ts'
import { ownTimeZone } from '../../shared/format.ts'
import { type Draft, dropDraft } from './draft.ts'

interface Following {
  /** After the document was signed or rejected. */
  onDone(taskId: number): Promise<void>
  /** After the service refused, or did not answer. */
  onFailed(): Promise<void>
  /** After the service refused because document, ink or task are no longer as they were shown. */
  onRefused(): void
}

export function useDecision(opened: Opened, draft: Draft, { onDone, onFailed, onRefused }: Following) {
  const [isBusy, setBusy] = useState(false)
  const { taskId, documentType, patient } = opened
  const decide = async (decision: 'sign' | 'reject', body: SignBody | RejectBody) => {
    setBusy(true)
    try {
      await call('POST', `/inbox/api/documents/${taskId}/${decision}`, body)
      dropDraft(taskId)
      announce(`${decision === 'sign' ? 'Signed' : 'Rejected'}: ${documentType} of ${patient.name}.`)
      await onDone(taskId)
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
      setBusy(false)
      if (failure instanceof ApiError && failure.status === 409) onRefused()
      await onFailed()
    }
  }
  return {
    isBusy,
    /** @param inkedSha256 of the document with the ink that the signer saw */
    sign: (inkedSha256: string) => decide('sign', { ...signBody(opened, draft), inkedSha256 }),
    reject: (reason: string) => decide('reject', { reason }),
  }
}

const signBody = ({ sha256 }: Opened, { values, signature }: Draft): SignBody => ({
  sha256,
  values,
  drawn: signature?.kind === 'drawn' ? signature.png : null,
  keep: signature?.kind === 'drawn' && signature.keep,
  timeZone: ownTimeZone(),
})
