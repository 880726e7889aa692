/** The documents that wait, as the signer searches and sorts them. */
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Waiting } from '../../../operations/signer/messages.ts'
import { waitingFor } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { serviceTime } from '../../shared/service-clock.ts'
import { useTitle } from '../../shared/title.ts'
import { t } from '../../words/words.ts'
import { DocumentLine, PatientLine } from './document-lines.tsx'
import { SearchField } from './search-field.tsx'
import { type ListView, type Order, OWN, orders, ownersOf, shownList } from './shown-list.ts'

interface WaitingListProps {
  /** The oldest first; null until they are known. */
  documents: readonly Waiting[] | null
  view: ListView
  onView(change: Partial<ListView>): void
  /** Where the list was scrolled to when it was left, in CSS pixels. */
  scroll: RefObject<number>
  isInTray(taskId: number): boolean
}

export function WaitingList({ documents, view, onView, scroll, isInTray }: WaitingListProps) {
  const heading = useTitle(t('inbox.is'))
  const isLoaded = documents !== null
  useLayoutEffect(() => {
    if (!isLoaded) return
    window.scrollTo(0, scroll.current ?? 0)
    return () => {
      scroll.current = window.scrollY
    }
  }, [isLoaded])
  const shown = shownList(documents ?? [], view)
  const overdue = (documents ?? []).filter(({ isOverdue }) => isOverdue).length
  return (
    <main class="list-page">
      <div class="list-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {isLoaded ? titleOf(documents.length) : t('inbox.is')}
          </h1>
          {overdue > 0 && <p class="overdue-label">{t('inbox.overdueCount', { count: overdue })}</p>}
        </div>
        {isLoaded && documents.length > 0 && <Narrowing view={view} owners={ownersOf(documents)} onView={onView} />}
      </div>
      <p class="visually-hidden" role="status">
        {view.search ? t('inbox.found', { count: shown.length }) : ''}
      </p>
      {!isLoaded && <p class="loading">{t('service.loading')}</p>}
      {isLoaded && shown.length === 0 && (
        <p class="empty">{documents.length === 0 ? t('inbox.newAppear') : t('inbox.noMatch')}</p>
      )}
      <ul class="documents">
        {shown.map((document) => (
          <WaitingDocument key={document.taskId} document={document} isInTray={isInTray(document.taskId)} />
        ))}
      </ul>
    </main>
  )
}

const titleOf = (waiting: number) => (waiting === 0 ? t('inbox.nothing') : t('inbox.toSign', { count: waiting }))

type NarrowingProps = Pick<WaitingListProps, 'view' | 'onView'> & { owners: readonly string[] }

const Narrowing = ({ view, owners, onView }: NarrowingProps) => (
  <div class="narrowing">
    {owners.length > 0 && <OwnerSelect owner={view.owner} owners={owners} onOwner={(owner) => onView({ owner })} />}
    <SearchField value={view.search} onSearch={(search) => onView({ search })} />
    <label class="order">
      <span class="visually-hidden">{t('inbox.sort')}</span>
      <select value={view.order} onChange={(event) => onView({ order: event.currentTarget.value as Order })}>
        {orders.map((order) => (
          <option key={order} value={order}>
            {t(`inbox.${order}`)}
          </option>
        ))}
      </select>
    </label>
  </div>
)

interface OwnerSelectProps {
  owner: string | null
  owners: readonly string[]
  onOwner(owner: string | null): void
}

const EVERYBODY = 'everybody'

/** Selects whose documents are shown, where the reader signs for another person. */
const OwnerSelect = ({ owner, owners, onOwner }: OwnerSelectProps) => (
  <label class="order">
    <span class="visually-hidden">{t('inbox.whose')}</span>
    <select
      value={owner === null ? EVERYBODY : `of ${owner}`}
      onChange={({ currentTarget: { value } }) => onOwner(value === EVERYBODY ? null : value.slice('of '.length))}
    >
      <option value={EVERYBODY}>{t('inbox.all')}</option>
      <option value={`of ${OWN}`}>{t('inbox.own')}</option>
      {owners.map((name) => (
        <option key={name} value={`of ${name}`}>
          {t('inbox.for', { name })}
        </option>
      ))}
    </select>
  </label>
)

const WaitingDocument = ({ document, isInTray }: { document: Waiting; isInTray: boolean }) => (
  <li>
    <a class="document" href={`#/documents/${document.taskId}`}>
      <PatientLine patient={document.patient} />
      <DocumentLine document={document} />
      <span class="state">
        {isInTray && <span class="badge">{t('inbox.inTray')}</span>}
        <span class={document.isOverdue ? 'age overdue' : 'age'}>
          <Icon name={document.isOverdue ? 'warning' : 'clock'} />
          {document.isOverdue && <span class="visually-hidden">{t('inbox.overdueThen')} </span>}
          <span class="visually-hidden">{t('inbox.waiting')} </span>
          {waitingFor(document.arrivedAt, serviceTime().getTime())}
        </span>
      </span>
    </a>
  </li>
)
