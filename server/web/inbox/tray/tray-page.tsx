/** The tray: lists what is about to be signed, asks once, and says of each document what became of it. */
import { useEffect } from 'preact/hooks'
import { useIsLost } from '../../shared/connection.tsx'
import { Icon } from '../../shared/icon.tsx'
import { unturned } from '../../shared/text/given-text.tsx'
import { useTitle } from '../../shared/title.ts'
import { t } from '../../words/words.ts'
import { DocumentLine, PatientLine } from '../list/document-lines.tsx'
import { type Outcome, type Tray, type TrayItem, unsigned } from './tray.ts'

export function TrayPage({ tray }: { tray: Tray }) {
  const heading = useTitle(t('tray.title'))
  const { items, isBusy, take, signAll, clear } = tray
  // Signed documents are shown until the signer leaves the page.
  useEffect(() => clear, [])
  const isLost = useIsLost()
  const left = unsigned(items).length
  return (
    <main class="list-page tray">
      <h1 ref={heading} tabIndex={-1}>
        {t('tray.title')}
      </h1>
      {items.length === 0 && <p class="empty">{t('tray.empty')}</p>}
      <ul class="documents" aria-busy={isBusy}>
        {items.map((item) => (
          <TrayDocument key={item.document.taskId} item={item} isBusy={isBusy} onTake={take} />
        ))}
      </ul>
      <p class="outcome-of-all" role="status">
        {isBusy ? '' : whatBecameOf(items)}
      </p>
      <div class="confirmation">
        {left > 0 && (
          <>
            {consentsOf(items).map((text) => (
              <p key={text}>{left > 1 ? t('tray.each', { text }) : text}</p>
            ))}
            <button type="button" class="primary" disabled={isBusy || isLost} onClick={() => void signAll()}>
              {isBusy ? t('tray.signing', { count: left }) : t('tray.sign', { count: left })}
            </button>
          </>
        )}
        <a class="button" href="#/">
          <Icon name="back" /> {t('inbox.is')}
        </a>
      </div>
    </main>
  )
}

/** Returns what signers agree to by signing these, each text once. */
const consentsOf = (items: readonly TrayItem[]) => [
  ...new Set(unsigned(items).map(({ document }) => document.consent.text)),
]

/** Summarizes the tried items; empty while there are none. */
function whatBecameOf(items: readonly TrayItem[]): string {
  const have = (...states: Outcome['is'][]) => items.filter(({ outcome }) => states.includes(outcome.is)).length
  const signed = have('signed')
  const failed = signed > 0 ? have('failed', 'ended') : have('failed')
  if (failed === 0) return signed > 0 ? t('tray.signed', { count: signed }) : ''
  return t('tray.someFailed', { count: signed, failed })
}

interface TrayDocumentProps {
  item: TrayItem
  isBusy: boolean
  onTake(taskId: number): void
}

const TrayDocument = ({ item: { document, outcome }, isBusy, onTake }: TrayDocumentProps) => (
  <li class={`document reviewed ${outcome.is}`}>
    <PatientLine patient={document.patient} />
    <DocumentLine document={document} />
    <span class="outcome" role="status">
      {'why' in outcome ? (
        <span class="problem">{t('tray.notSigned', { why: outcome.why })}</span>
      ) : (
        <Badge outcome={outcome} />
      )}
    </span>
    {outcome.is !== 'signed' && (
      <span class="acts">
        {outcome.is !== 'ended' && (
          <a
            class="button quiet"
            href={`#/documents/${document.taskId}`}
            aria-label={t('tray.openOf', { name: nameOf(document) })}
          >
            {t('tray.open')}
          </a>
        )}
        <button
          type="button"
          class="quiet"
          disabled={isBusy}
          aria-label={t('tray.takeOutOf', { name: nameOf(document) })}
          onClick={() => onTake(document.taskId)}
        >
          {t('tray.takeOut')}
        </button>
      </span>
    )}
  </li>
)

const words: Readonly<Record<Exclude<Outcome['is'], 'failed' | 'ended'>, string>> = {
  ready: t('tray.ready'),
  signing: t('tray.isSigning'),
  signed: t('past.isSigned'),
}

const Badge = ({ outcome: { is } }: { outcome: Exclude<Outcome, { why: string }> }) => (
  <span class={is === 'signed' ? 'badge Completed' : 'badge'}>
    {is === 'signed' && <Icon name="check" />}
    {words[is]}
  </span>
)

const nameOf = ({ patient, documentType }: TrayItem['document']) =>
  t('tray.documentOf', { type: documentType, name: unturned(patient.name) })
