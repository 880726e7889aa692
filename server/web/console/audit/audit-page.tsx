/** The audit log: who did what to what, when, and from where. */
import { useState } from 'preact/hooks'
import type { AuditListed, AuditVerification } from '../../../operations/operator/messages/audit.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { exactTime, grouped, startOf } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { useListQuery } from '../../shared/route.ts'
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
      title="Audit log"
      tools={
        <button type="button" class="quiet" onClick={() => void save()}>
          <Icon name="download" /> Save as CSV
        </button>
      }
    >
      <fieldset class="filters">
        <legend class="visually-hidden">Filters</legend>
        <Filter
          label="Action"
          value={action}
          options={allOr(ACTIONS)}
          onChange={(value) => narrow({ action: value })}
        />
        <label class="filter">
          Task
          <input
            class="id"
            inputMode="numeric"
            value={task}
            onInput={({ currentTarget }) => narrow({ task: currentTarget.value })}
          />
        </label>
        <label class="filter">
          Who (account, key, or NPI)
          <input
            class="id"
            value={actor}
            maxLength={100}
            onInput={({ currentTarget }) => narrow({ who: currentTarget.value.trim() })}
          />
        </label>
        <label class="filter">
          From
          <input type="date" value={from} onInput={({ currentTarget }) => narrow({ from: currentTarget.value })} />
        </label>
        <label class="filter">
          through
          <input type="date" value={to} onInput={({ currentTarget }) => narrow({ to: currentTarget.value })} />
        </label>
      </fieldset>
      <p>
        <small>Each entry is chained to the one before it, so a change to the log shows.</small>
      </p>
      <Verification />
      <Table
        rows={entries}
        keyOf={({ sequence }) => sequence}
        columns={columns}
        empty="No entries match these filters."
      />
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
        Verify
      </button>
      {found && <span>{inWords(found)}</span>}
    </p>
  )
}

function inWords({ entries, head, fault, changedRows }: AuditVerification): string {
  if (fault) return `The audit log is not whole: ${fault}.`
  if (changedRows > 0)
    return `The log is whole, but rows that grant access were changed without the master key: ${grouped(changedRows)}.`
  return `Verified to entry ${head.split(':')[0]}: ${grouped(entries)} in all, and each is as it was written.`
}

const columns: Columns<AuditListed> = [
  { name: 'Entry', isShort: true, cell: ({ sequence }) => sequence },
  { name: 'When', isShort: true, cell: ({ at }) => exactTime(at) },
  {
    name: 'Who',
    cell: ({ by: { kind, id, name } }) => (
      <>
        {name ?? (kind === 'service' ? 'The service' : kind)}
        {id && <small>{`${kind} ${id}`}</small>}
      </>
    ),
  },
  {
    name: 'What',
    cell: ({ action, outcome }) => (
      <>
        {action}
        {outcome === 'refused' && <span class="badge failed">refused</span>}
      </>
    ),
  },
  { name: 'Task', cell: ({ taskId }) => (taskId === null ? '—' : <a href={`#/tasks/${taskId}`}>{taskId}</a>) },
  { name: 'Subject', cell: ({ subject }) => subject ?? '—' },
  { name: 'From', cell: ({ ip }) => ip ?? '—' },
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
