/**
 * Shows the signer's next acts on the open document. The first button, and Ctrl+Enter, always lead on towards the signed
 * document.
 */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useIsLost } from '../../../shared/connection.tsx'
import { t } from '../../../words/words.ts'
import type { Step } from './steps.ts'

export interface ActsProps {
  /** The next step; null when the document is ready to sign. */
  next: Step | null
  /** Whether the guide has led anywhere yet. */
  hasBegun: boolean
  initials: string
  isInTray: boolean
  /** Nothing of the pages has been shown yet. */
  isBlank: boolean
  /** Something of a page has not been shown yet. */
  isUnread: boolean
  isBusy: boolean
  /** The pages are being drawn as they would be sealed. */
  isPreparing: boolean
  onVisit(index: number): void
  /** Places the signature that is at hand; null when there is none. */
  onPlace: (() => void) | null
  onInitials(index: number): void
  /** Scrolls to what has not been shown yet. */
  onRead(): void
  onSign(): void
  /** Puts the document into the tray. */
  onPut(): void
  onTake(): void
  onSkip(): void
  onReject(): void
}

export function Acts(props: ActsProps) {
  const { next, initials, isInTray, isBusy, isPreparing } = props
  const { onInitials, onPut, onTake, onSkip, onReject } = props
  const first = useRef<HTMLButtonElement>(null)
  // In a layout effect, because a quick signer presses the keys before an effect that runs after painting would listen.
  useLayoutEffect(() => onCtrlEnter(() => first.current?.click()), [])
  const isLost = useIsLost()
  const act = firstAct(props)
  return (
    <div class="acts-of-guide">
      <button
        ref={first}
        type="button"
        class="primary"
        disabled={isBusy || isTooEarly(act.run, props) || (isLost && act.run === props.onSign)}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        onClick={act.run}
      >
        {act.name}
      </button>
      {next?.kind === 'text' && next.isShort && (
        <button type="button" onClick={() => onInitials(next.index)}>
          {t('act.initials', { initials })}
        </button>
      )}
      {(isInTray || !next) && (
        <button type="button" disabled={isBusy || isPreparing} onClick={isInTray ? onTake : onPut}>
          {isInTray ? t('act.takeOut') : t('act.put')}
        </button>
      )}
      <button type="button" class="quiet" disabled={isBusy} onClick={onSkip}>
        {t('act.skip')}
      </button>
      <button type="button" class="danger" disabled={isBusy || isLost} onClick={onReject}>
        {t('act.reject')}
      </button>
    </div>
  )
}

/** A signature is placed on a page that is shown, and nothing leads on before the page shows it as it would be sealed. */
const isTooEarly = (run: () => void, { isBlank, isPreparing, onPlace, onRead, onSign }: ActsProps): boolean =>
  (run === onPlace && isBlank) || ((run === onRead || run === onSign) && isPreparing)

function firstAct(props: ActsProps): { name: string; run(): void } {
  const { next, hasBegun, isUnread, isBusy, onVisit, onPlace, onRead, onSign } = props
  if (!next && isUnread) return { name: t('act.read'), run: onRead }
  if (!next) return { name: isBusy ? t('tray.isSigning') : t('act.sign'), run: onSign }
  if (next.kind === 'signature' && onPlace) return { name: t('act.place'), run: onPlace }
  return { name: hasBegun ? t('act.next') : t('act.start'), run: () => onVisit(next.index) }
}

/** Calls back at Ctrl+Enter, or Cmd+Enter, unless a dialog is open. Returns a function that ends this. */
function onCtrlEnter(act: () => void): () => void {
  const hear = (event: KeyboardEvent) => {
    // A key that is held down must not go through several documents.
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    act()
  }
  addEventListener('keydown', hear)
  return () => removeEventListener('keydown', hear)
}
