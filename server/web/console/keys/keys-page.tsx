/** API keys of senders: whose each is, until when it is valid, how much it is used, and its replacement or end. */
import { useState } from 'preact/hooks'
import type { ListedKey } from '../../../operations/operator/messages/keys.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import { grouped, localTime } from '../../shared/format.ts'
import { useListQuery } from '../../shared/route.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { t } from '../../words/words.ts'
import { ConsolePage } from '../console-page.tsx'
import { Filter } from '../filter.tsx'
import { useKeptScroll } from '../kept-scroll.ts'
import { useLive } from '../live.ts'
import { ShownOnce } from '../shown-once.tsx'
import { type Columns, Table } from '../table.tsx'
import { RevokeDialog, RotateDialog } from './key-dialogs.tsx'
import { isValid, keyName, requestsOf } from './key-words.ts'
import { NewKey } from './new-key.tsx'

export function KeysPage() {
  const [keys, reload] = useLive<ListedKey[]>('/keys')
  const [organizations] = useLive<Organization[]>('/organizations')
  const [wanted, change] = useListQuery()
  const [rotating, setRotating] = useState<ListedKey | null>(null)
  const [revoking, setRevoking] = useState<ListedKey | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  /** Makes an empty form after each new key. */
  const [made, setMade] = useState(0)
  useKeptScroll(keys !== null)
  const organization = wanted.get('organization') ?? ''
  const state = states.find(([known]) => known === wanted.get('state'))?.[0] ?? ''
  const now = serviceTime()
  const rows = keys?.filter(
    (key) =>
      (organization === '' || String(key.organizationId) === organization) &&
      (state === 'all' || isValid(key, now) === (state === '')),
  )
  const nameOf = (id: number) => organizations?.find((one) => one.id === id)?.name ?? String(id)
  return (
    <ConsolePage title={t('console.keys')}>
      <fieldset class="filters">
        <legend class="visually-hidden">{t('list.filters')}</legend>
        {(organizations?.length ?? 0) > 1 && (
          <Filter
            label={t('console.organization')}
            value={organization}
            options={[
              ['', t('filter.all')],
              ...(organizations ?? []).map(({ id, name }) => [String(id), name] as const),
            ]}
            onChange={(value) => change({ organization: value })}
          />
        )}
        <Filter label={t('key.keys')} value={state} options={states} onChange={(value) => change({ state: value })} />
      </fieldset>
      <Table
        class="api-keys"
        rows={rows ?? null}
        keyOf={({ keyId }) => keyId}
        columns={columnsFor(nameOf, now)}
        actions={(key) =>
          isValid(key, now) && (
            <>
              <button
                type="button"
                class="small"
                aria-label={t('key.rotateOf', { name: keyName(key) })}
                onClick={() => setRotating(key)}
              >
                {t('key.rotate')}
              </button>
              <button
                type="button"
                class="small danger"
                aria-label={t('key.revokeOf', { name: keyName(key) })}
                onClick={() => setRevoking(key)}
              >
                {t('key.revoke')}
              </button>
            </>
          )
        }
        empty={state === '' ? t('key.noneValid') : t('key.noMatch')}
      />
      {organizations && (
        <NewKey
          key={`${organization} ${made}`}
          organizations={organizations}
          chosen={organization}
          reload={reload}
          onKey={(key) => {
            setShown(key)
            setMade(made + 1)
          }}
        />
      )}
      {rotating && (
        <RotateDialog listed={rotating} reload={reload} onKey={setShown} onClose={() => setRotating(null)} />
      )}
      {revoking && <RevokeDialog listed={revoking} reload={reload} onClose={() => setRevoking(null)} />}
      {shown && <ShownOnce title={t('key.theNew')} value={shown} onClose={() => setShown(null)} />}
    </ConsolePage>
  )
}

const states = [
  ['', t('key.valid')],
  ['ended', t('key.ended')],
  ['all', t('filter.all')],
] as const

const columnsFor = (nameOf: (organizationId: number) => string, now: Date): Columns<ListedKey> => [
  {
    name: t('key.key'),
    cell: (key) => (
      <>
        {key.description || t('key.noDescription')}
        <small>
          {t(`key.mode.${key.mode}`)}, …{key.last4}
        </small>
      </>
    ),
  },
  { name: t('key.owner'), cell: ({ personName }) => personName ?? '—' },
  { name: t('console.organization'), cell: ({ organizationId }) => nameOf(organizationId) },
  { name: t('key.validity'), cell: (key) => <Validity listed={key} now={now} /> },
  { name: t('key.lastUsed'), cell: ({ lastUsedAt }) => (lastUsedAt ? localTime(lastUsedAt) : t('key.never')) },
  { name: t('key.last14'), shortName: t('key.in14'), cell: (key) => <Requests listed={key} /> },
]

function Validity({ listed, now }: { listed: ListedKey; now: Date }) {
  const { createdAt, expiresAt, revokedAt } = listed
  if (revokedAt) return <State badge="failed" state={t('key.isRevoked')} detail={localTime(revokedAt)} />
  if (!isValid(listed, now))
    return <State badge="cancelled" state={t('key.expired')} detail={localTime(expiresAt ?? '')} />
  return (
    <>
      {expiresAt ? t('key.until', { time: localTime(expiresAt) }) : t('key.endless')}
      <small>{t('key.since', { time: localTime(createdAt) })}</small>
    </>
  )
}

const State = ({ badge, state, detail }: { badge: string; state: string; detail: string }) => (
  <>
    <span class={`badge ${badge}`}>{state}</span>
    <small>{detail}</small>
  </>
)

const [STEP, BAR, HEIGHT] = [6, 4, 24]

function Requests({ listed }: { listed: ListedKey }) {
  const { requests } = listed
  const total = requestsOf(listed)
  if (total === 0) return <>0</>
  const most = Math.max(...requests.map(({ count }) => count))
  return (
    <>
      {grouped(total)}
      <svg
        class="sparkline"
        aria-hidden="true"
        viewBox={`0 0 ${requests.length * STEP} ${HEIGHT}`}
        width={requests.length * STEP}
        height={HEIGHT}
      >
        {requests.map(({ day, count }, n) => {
          // The smallest number is still seen.
          const high = count === 0 ? 0 : Math.max(2, Math.round((count / most) * HEIGHT))
          return <rect key={day} class="accepted" x={n * STEP} y={HEIGHT - high} width={BAR} height={high} />
        })}
      </svg>
    </>
  )
}
