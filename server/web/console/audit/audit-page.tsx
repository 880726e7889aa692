/** The audit log: who did what to what, when, and from where. */
import { useState } from 'preact/hooks'
import type { AuditListed, AuditVerification } from '../../../operations/operator/messages/audit.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { exactTime, startOf } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { useListQuery } from '../../shared/route.ts'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { ConsolePage } from '../console-page.tsx'
import { allOr, Filter } from '../filter.tsx'
import { useKeptScroll } from '../kept-scroll.ts'
import { useLive } from '../live.ts'
import { saveFile } from '../save-file.ts'
import { NEWEST, partIn, partWords, queryOf, ShowMore } from '../show-more.tsx'
import { type Columns, Table } from '../table.tsx'

export function AuditPage() {
  const [wanted, change] = useListQuery()
  const part = partIn(wanted)
  const given = (name: string) => wanted.get(name) ?? ''
  const [action, task, actor, from, to] = [given('action'), given('task'), given('who'), given('from'), given('to')]
  const narrowed = {
    ...(ACTIONS.some((known) => known === action) && { action }),
    ...(/^[1-9]\d{0,9}$/.test(task) && { taskId: task }),
    ...(actor !== '' && { actor }),
    ...(startOf(from) && { since: startOf(from) }),
    ...(startOf(to) && { until: startOf(to, 1) }),
  }
  const [entries] = useLive<AuditListed[]>(`/audit?${new URLSearchParams({ ...queryOf(part), ...narrowed })}`)
  useKeptScroll(entries !== null)
  const narrow = (filter: Record<string, string>) => change({ ...partWords(NEWEST), ...filter })
  const save = () =>
    saveFile(`/audit/export?${new URLSearchParams(narrowed)}`, 'audit.csv').catch((failure: unknown) =>
      announceFailure(failure),
    )
  return (
    <ConsolePage
      title={t('console.audit')}
      tools={
        <button type="button" class="quiet" onClick={() => void save()}>
          <Icon name="download" /> {t('list.csv')}
        </button>
      }
    >
      <fieldset class="filters">
        <legend class="visually-hidden">{t('list.filters')}</legend>
        <Filter
          label={t('audit.action')}
          value={action}
          options={allOr(ACTIONS)}
          onChange={(value) => narrow({ action: value })}
        />
        <label class="filter">
          {t('console.task')}
          <input
            class="id"
            inputMode="numeric"
            value={task}
            onInput={({ currentTarget }) => narrow({ task: currentTarget.value })}
          />
        </label>
        <label class="filter">
          {t('audit.whoFilter')}
          <input
            class="id"
            value={actor}
            maxLength={100}
            onInput={({ currentTarget }) => narrow({ who: currentTarget.value.trim() })}
          />
        </label>
        <label class="filter">
          {t('list.from')}
          <input type="date" value={from} onInput={({ currentTarget }) => narrow({ from: currentTarget.value })} />
        </label>
        <label class="filter">
          {t('list.through')}
          <input type="date" value={to} onInput={({ currentTarget }) => narrow({ to: currentTarget.value })} />
        </label>
      </fieldset>
      <p>
        <small>{t('audit.chained')}</small>
      </p>
      <Verification />
      <Table rows={entries} keyOf={({ sequence }) => sequence} columns={columns} empty={t('audit.noMatch')} />
      <ShowMore
        ids={entries?.map(({ sequence }) => sequence) ?? []}
        part={part}
        onPart={(next) => change(partWords(next))}
      />
    </ConsolePage>
  )
}

function Verification() {
  const [isBusy, setBusy] = useState(false)
  const [found, setFound] = useState<AuditVerification | null>(null)
  const verify = async () => {
    setBusy(true)
    const done = await act<AuditVerification>('POST', '/audit/verify', { done: inWords })
    setFound(done?.answer ?? null)
    setBusy(false)
  }
  return (
    <p class="bulk">
      <button type="button" disabled={isBusy} onClick={() => void verify()}>
        {t('audit.verify')}
      </button>
      {found && <span>{inWords(found)}</span>}
    </p>
  )
}

function inWords({ entries, head, fault, changedRows }: AuditVerification): string {
  if (fault) return t('audit.notWhole', { fault })
  if (changedRows > 0) return t('audit.changedRows', { count: changedRows })
  return t('audit.verified', { last: head.split(':')[0] ?? '', entries })
}

const columns: Columns<AuditListed> = [
  { name: t('audit.entry'), isShort: true, cell: ({ sequence }) => sequence },
  { name: t('audit.when'), isShort: true, cell: ({ at }) => exactTime(at) },
  {
    name: t('audit.who'),
    cell: ({ by: { kind, id, name } }) => (
      <>
        {name ?? (kind === 'service' ? t('audit.service') : t(`audit.kind.${kind}`))}
        {id && <small>{`${t(`audit.kind.${kind}`)} ${id}`}</small>}
      </>
    ),
  },
  {
    name: t('audit.what'),
    cell: ({ action, outcome }) => (
      <>
        {action}
        {outcome === t('audit.refused') && <span class="badge failed">{t('audit.refused')}</span>}
      </>
    ),
  },
  {
    name: t('console.task'),
    cell: ({ taskId }) => (taskId === null ? '—' : <a href={`#/tasks/${taskId}`}>{taskId}</a>),
  },
  { name: t('audit.subject'), cell: ({ subject }) => subject ?? '—' },
  { name: t('list.from'), cell: ({ ip }) => ip ?? '—' },
]

/** The actions that operators ask about. */
const ACTIONS = [
  'task.create',
  'task.present',
  'task.sign',
  'task.reject',
  'task.retract',
  'task.cancel',
  'task.fail',
  'task.review',
  'task.search',
  'task.export',
  'document.read',
  'document.view',
  'session.begin',
  'account.create',
  'account.password',
  'account.disable',
  'key.issue',
  'key.rotate',
  'key.revoke',
  'organization.update',
  'provider.update',
  'subscription.update',
  'subscription.rotate',
  'subscription.resume',
  'subscription.test',
  'delivery.redeliver',
  'audit.export',
] as const
