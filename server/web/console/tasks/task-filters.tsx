/** Narrows the list of tasks: kept in the address, so that a link leads to the same list. */
import { useEffect, useState } from 'preact/hooks'
import { taskStatuses } from '../../../../lib/contract/task/task-status.ts'
import { startOf } from '../../shared/format.ts'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import { allOr, Filter } from '../filter.tsx'

type Change = (change: Record<string, string | null>) => void
type Options = readonly (readonly [value: string, name: string])[]

const NAMES = ['status', 'organization', 'signer', 'type', 'from', 'to', 'older', 'recorded'] as const

/** Returns the query of the interface for what the address names; what it names wrongly counts for nothing. */
export function filterQuery(wanted: URLSearchParams): Record<string, string> {
  const given = (name: string, form: RegExp) => {
    const value = wanted.get(name) ?? ''
    return form.test(value) ? value : ''
  }
  const status = taskStatuses.find((known) => known === wanted.get('status')) ?? ''
  const query = {
    status,
    organizationId: given('organization', ID),
    signer: given('signer', /^\d{10}$/),
    typeId: given('type', ID),
    from: startOf(wanted.get('from') ?? ''),
    to: startOf(wanted.get('to') ?? '', 1),
    olderThan: given('older', ID),
    recorded: given('recorded', /^(true|false)$/),
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

const ID = /^[1-9]\d{0,9}$/

export function TaskFilters({
  wanted,
  change,
  isOperator,
}: {
  wanted: URLSearchParams
  change: Change
  isOperator: boolean
}) {
  const organizations = useOptions('/organizations', byId, isOperator)
  const types = useOptions('/document-types', byId, isOperator)
  const signers = useOptions('/providers', byNpi, isOperator)
  const isNarrowed = NAMES.some((name) => wanted.has(name))
  const filter = (label: string, name: (typeof NAMES)[number], options: Options) => (
    <Filter
      label={label}
      value={wanted.get(name) ?? ''}
      options={options}
      onChange={(value) => change({ [name]: value })}
    />
  )
  const day = (label: string, name: 'from' | 'to') => (
    <label class="filter">
      {label}
      <input
        type="date"
        value={wanted.get(name) ?? ''}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
      />
    </label>
  )
  return (
    <fieldset class="filters">
      <legend class="visually-hidden">{t('list.filters')}</legend>
      {filter(
        t('task.status'),
        'status',
        allOr(taskStatuses, (status) => t(`status.${status}`)),
      )}
      {isOperator && filter(t('task.sender'), 'organization', organizations)}
      {isOperator && filter(t('task.signer'), 'signer', signers)}
      {isOperator && filter(t('task.document'), 'type', types)}
      {day(t('task.receivedFrom'), 'from')}
      {day(t('resend.to'), 'to')}
      {filter(t('task.older'), 'older', AGES)}
      {filter(t('task.recorded'), 'recorded', RECORDED)}
      {isNarrowed && (
        <button
          type="button"
          class="quiet"
          onClick={() => change(Object.fromEntries(NAMES.map((name) => [name, null])))}
        >
          {t('task.clear')}
        </button>
      )}
    </fieldset>
  )
}

const byId = ({ id, name }: { id: number; name: string }) => [`${id}`, name] as const
const byNpi = ({ npi, signingName }: { npi: string; signingName: string }) => [npi, signingName] as const

const AGES: Options = [
  ['', t('task.anyAge')],
  ['1', t('time.days', { count: 1 })],
  ['3', t('time.days', { count: 3 })],
  ['7', t('time.days', { count: 7 })],
  ['30', t('time.days', { count: 30 })],
]
const RECORDED: Options = [
  ['', t('filter.all')],
  ['true', t('task.yes')],
  ['false', t('task.no')],
]

/** Loads the options once; only t('filter.all') until they are there. */
function useOptions<T>(path: string, optionOf: (row: T) => readonly [string, string], isWanted: boolean): Options {
  const [options, setOptions] = useState<Options>([['', t('filter.all')]])
  useEffect(() => {
    if (!isWanted) return
    callAdmin<T[]>('GET', path).then(
      (rows) => setOptions([['', t('filter.all')], ...rows.map(optionOf)]),
      // The list itself says when the service does not answer.
      () => {},
    )
  }, [path, isWanted, optionOf])
  return options
}
