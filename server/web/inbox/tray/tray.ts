/** The documents that the signer has reviewed and means to sign together, each with what will be sent, and what became of it. */
import { useRef, useState } from 'preact/hooks'
import type { Opened, SignBody } from '../../../operations/signer/messages.ts'
import { ApiError, sentenceOf } from '../../shared/api.ts'
import { settle as send } from '../outcome/settle.ts'

export interface Reviewed {
  document: Pick<
    Opened,
    'taskId' | 'patient' | 'documentType' | 'externalDocId' | 'clinicalDate' | 'sender' | 'onBehalfOf' | 'consent'
  >
  body: SignBody
}

/** A failure that concerns all has nothing to do with the document: the service is away, or the session has ended. */
export type Outcome =
  | { is: 'ready' }
  | { is: 'signing' }
  | { is: 'signed' }
  | { is: 'failed'; why: string; concernsAll: boolean }
  /** It waits for no one any more, as when its sender has withdrawn it. */
  | { is: 'ended'; why: string }

export type TrayItem = Reviewed & { outcome: Outcome }

export interface Tray {
  items: readonly TrayItem[]
  isBusy: boolean
  holds(taskId: number): boolean
  put(reviewed: Reviewed): void
  take(taskId: number): void
  /** Says why a document can no longer be signed. Changes nothing of one that is signed, or is being signed. */
  end(taskId: number, why: string): void
  /** Signs what is not signed yet, one document after the other, each by a request of its own. */
  signAll(): Promise<void>
  /** Drops what is signed. */
  clear(): void
}

/** @param onSigned called for each document once it is signed */
export function useTray(onSigned: (taskId: number) => void): Tray {
  const [items, setItems] = useState<readonly TrayItem[]>([])
  const [isBusy, setBusy] = useState(false)
  // At once, where a state would let a second click through before the page is drawn again.
  const isSigning = useRef(false)
  const newest = useRef(items)
  newest.current = items
  const settle = (taskId: number, outcome: Outcome) =>
    setItems((all) => all.map((item) => (item.document.taskId === taskId ? { ...item, outcome } : item)))
  const sign = async ({ document: { taskId }, body }: TrayItem): Promise<Ended> => {
    settle(taskId, { is: 'signing' })
    const outcome = await signed(taskId, body)
    settle(taskId, outcome)
    if (outcome.is === 'signed') onSigned(taskId)
    return outcome
  }
  return {
    items,
    isBusy,
    holds: (taskId) => items.some(({ document, outcome }) => document.taskId === taskId && outcome.is !== 'signed'),
    put: (reviewed) => setItems((all) => [...without(all, reviewed.document.taskId), { ...reviewed, outcome: READY }]),
    take: (taskId) => setItems((all) => without(all, taskId)),
    end: (taskId, why) =>
      setItems((all) =>
        all.map((item) =>
          item.document.taskId === taskId && ['ready', 'failed'].includes(item.outcome.is)
            ? { ...item, outcome: { is: 'ended', why } }
            : item,
        ),
      ),
    clear: () => setItems((all) => all.filter(({ outcome }) => outcome.is !== 'signed')),
    async signAll() {
      if (isSigning.current) return
      isSigning.current = true
      setBusy(true)
      for (const item of unsigned(items)) {
        // It may have been taken out in the meantime, because its document was changed.
        if (!newest.current.includes(item)) continue
        const outcome = await sign(item)
        if (outcome.is === 'failed' && outcome.concernsAll) break
      }
      isSigning.current = false
      setBusy(false)
    },
  }
}

const READY: Outcome = { is: 'ready' }

const without = (items: readonly TrayItem[], taskId: number) =>
  items.filter(({ document }) => document.taskId !== taskId)

/** Returns the documents that can still be signed. */
export const unsigned = (items: readonly TrayItem[]) =>
  items.filter(({ outcome }) => !['signed', 'ended'].includes(outcome.is))

type Ended = Extract<Outcome, { is: 'signed' | 'failed' }>

async function signed(taskId: number, body: SignBody): Promise<Ended> {
  try {
    await send(taskId, { is: 'sign', body })
    return { is: 'signed' }
  } catch (failure) {
    const concernsAll = failure instanceof ApiError && [0, 401].includes(failure.status)
    return { is: 'failed', why: sentenceOf(failure), concernsAll }
  }
}
