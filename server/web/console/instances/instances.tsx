/** The instances of the service on this store and how each is doing, and the receivers that all of them spare. */
import { useEffect, useMemo } from 'preact/hooks'
import type { Instance, SparedReceiver } from '../../../operations/operator/messages/instances.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import { localTime } from '../../shared/format.ts'
import { t } from '../../words/words.ts'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { Table } from '../table.tsx'
import { ago, useSeconds } from './seconds.ts'
import { WorkerList } from './worker-list.tsx'

/** The interval at which an instance reports. */
const ASK_EVERY_MS = 10_000

export function Instances() {
  const [instances, reload] = useLive<Instance[]>('/instances')
  const now = useSeconds()
  // The ages in an answer are those of the moment when it came.
  const heardAt = useMemo(() => Date.now(), [instances])
  const elapsedMs = Math.max(0, now - heardAt)
  useEffect(() => {
    const asking = setInterval(() => void reload(), ASK_EVERY_MS)
    return () => clearInterval(asking)
  }, [reload])
  return (
    <ConsolePage title={t('console.instances')}>
      <Table
        class="instances"
        rows={instances}
        keyOf={({ id }) => id}
        columns={[
          { name: t('instance.where'), cell: ({ name }) => name },
          { name: t('instance.version'), cell: ({ version }) => version },
          { name: t('instance.started'), cell: ({ startedAt }) => localTime(startedAt) },
          { name: t('instance.heard'), cell: (instance) => <Seen instance={instance} elapsedMs={elapsedMs} /> },
          { name: t('instance.workers'), cell: (instance) => <Workers instance={instance} elapsedMs={elapsedMs} /> },
        ]}
      />
      <Receivers />
    </ConsolePage>
  )
}

interface Seeing {
  instance: Instance
  /** Since the answer came. */
  elapsedMs: number
}

function Seen({ instance: { sinceSeenMs, isSilent }, elapsedMs }: Seeing) {
  return (
    <>
      {ago(sinceSeenMs + elapsedMs)}
      {isSilent && <span class="badge failed">{t('instance.silent')}</span>}
    </>
  )
}

/** Shows the workers of an instance. Nothing is known of a silent one. */
function Workers({ instance: { sinceSeenMs, isSilent, workers }, elapsedMs }: Seeing) {
  if (isSilent) return <>—</>
  return (
    <div class="workers">
      <WorkerList workers={workers} elapsedMs={sinceSeenMs + elapsedMs} />
    </div>
  )
}

function Receivers() {
  const [receivers] = useLive<SparedReceiver[]>('/receivers/spared')
  const [organizations] = useLive<Organization[]>('/organizations')
  const nameOf = (id: number) => organizations?.find((organization) => organization.id === id)?.name ?? id
  return (
    <section class="spared" aria-labelledby="spared">
      <h2 id="spared">{t('paused.title')}</h2>
      <p>{t('paused.text')}</p>
      <Table
        rows={receivers}
        keyOf={({ subscriptionId }) => subscriptionId}
        columns={[
          { name: t('delivery.subscription'), cell: ({ subscriptionId }) => subscriptionId },
          { name: t('console.organization'), cell: ({ organizationId }) => nameOf(organizationId) },
          { name: t('reason.field'), cell: ({ isDown }) => (isDown ? t('paused.down') : t('paused.busy')) },
          { name: t('list.since'), cell: ({ since }) => localTime(since) },
          { name: t('list.until'), cell: ({ until }) => localTime(until) },
        ]}
        empty={t('paused.none')}
      />
    </section>
  )
}
