/** The console: its parts by route, and how much is waiting in each. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { Counts } from '../../operations/operator/messages/tasks.ts'
import { leaveErrors } from '../shared/announce.tsx'
import { grouped } from '../shared/format.ts'
import { PageHead } from '../shared/page-head.tsx'
import { goInstead, useRoute } from '../shared/route.ts'
import { SandboxBanner } from '../shared/sandbox-banner.tsx'
import type { Visitor } from '../shared/sign-in/account.ts'
import { t } from '../words/words.ts'
import { AuditPage } from './audit/audit-page.tsx'
import { ConsolePage } from './console-page.tsx'
import { Deliveries } from './deliveries/deliveries.tsx'
import { FindPage } from './find/find-page.tsx'
import { SearchField } from './find/search-field.tsx'
import { Home } from './home/home.tsx'
import { Instances } from './instances/instances.tsx'
import { WorkerLine } from './instances/worker-line.tsx'
import { KeysPage } from './keys/keys-page.tsx'
import { useLive } from './live.ts'
import { OrganizationPage } from './organizations/organization-page.tsx'
import { Organizations } from './organizations/organizations.tsx'
import { ReceiverPage } from './receivers/receiver-page.tsx'
import { Receivers } from './receivers/receivers.tsx'
import { SetUpPage } from './set-up/set-up-page.tsx'
import { People } from './settings/people.tsx'
import { TaskList } from './tasks/task-list.tsx'
import { TaskPage } from './tasks/task-page.tsx'
import { TemplateEditor } from './templates/template-editor.tsx'
import { Templates } from './templates/templates.tsx'

interface ConsoleProps {
  visitor: Visitor
  isTest: boolean
  signOut(): void
}

export function Console({ visitor, isTest, signOut }: ConsoleProps) {
  const route = useRoute()
  useEffect(leaveErrors, [route])
  const [counts] = useLive<Counts>('/counts')
  const [part = ''] = route.split('/')
  const isOperator = visitor.role === 'operator'
  const tab = (to: string, name: string, waiting = 0) => (
    <a
      href={`#/${to}`}
      aria-current={part === to || (to === 'receivers' && part === 'deliveries') ? 'page' : undefined}
    >
      {name} {waiting > 0 && <span class="count">{grouped(waiting)}</span>}
    </a>
  )
  return (
    <>
      <PageHead visitor={visitor} signOut={signOut}>
        <nav aria-label={t('place.console')}>
          {tab('', t('console.home'))}
          {tab('tasks', t('console.tasks'))}
          {tab('review', t('console.review'), counts?.inReview)}
          {tab('receivers', t('console.receivers'), counts?.deliveriesFailed)}
          {tab('templates', t('console.templates'))}
          <a href="#/organizations" aria-current={part in settingsTabs || part === 'set-up' ? 'page' : undefined}>
            {t('place.settings')}
          </a>
        </nav>
        <SearchField />
      </PageHead>
      {isTest && <SandboxBanner text={t('sandbox.noPatient')} other={{ href: '/inbox', name: t('place.inbox') }} />}
      <WorkerLine isOperator={isOperator} />
      {part in settingsTabs && <SettingsTabs part={part} isOperator={isOperator} />}
      <Part route={route} visitor={visitor} isTest={isTest} />
    </>
  )
}

function Part({ route, visitor, isTest }: { route: string } & Pick<ConsoleProps, 'visitor' | 'isTest'>) {
  const isOperator = visitor.role === 'operator'
  for (const { at, isOperators, show } of parts) {
    const found = at.exec(route)
    if (!found) continue
    if (isOperators && !isOperator) return <NoSuchPage why={t('console.operatorOnly')} />
    return show({ id: Number(found[1]), visitor, isOperator, isTest })
  }
  return <NoSuchPage why={t('console.wrongAddress')} />
}

interface Shown {
  /** The number in the address; NaN where there is none. */
  id: number
  visitor: Visitor
  isOperator: boolean
  isTest: boolean
}

/** The part of the console at each address, and who may see it. */
const parts: readonly { at: RegExp; isOperators?: true; show(shown: Shown): ComponentChildren }[] = [
  { at: /^$/, show: ({ isOperator }) => <Home isOperator={isOperator} /> },
  { at: /^tasks$/, show: ({ isOperator }) => <TaskList key="tasks" isOperator={isOperator} /> },
  { at: /^find$/, show: () => <FindPage /> },
  { at: /^tasks\/(\d+)$/, show: ({ id }) => <TaskPage key={id} taskId={id} /> },
  { at: /^review$/, show: ({ isOperator }) => <TaskList key="review" inReview isOperator={isOperator} /> },
  { at: /^receivers$/, show: () => <Receivers /> },
  { at: /^receivers\/(\d+)$/, show: ({ id }) => <ReceiverPage key={id} id={id} /> },
  { at: /^deliveries$/, show: () => <Deliveries /> },
  { at: /^templates$/, show: ({ isOperator }) => <Templates isOperator={isOperator} /> },
  {
    at: /^templates\/new$/,
    show: ({ isOperator }) => <TemplateEditor key="new" templateId={null} isOperator={isOperator} />,
  },
  {
    at: /^templates\/(\d+)$/,
    show: ({ id, isOperator }) => <TemplateEditor key={id} templateId={id} isOperator={isOperator} />,
  },
  { at: /^organizations$/, show: ({ isOperator }) => <Organizations isOperator={isOperator} /> },
  { at: /^organizations\/(\d+)$/, show: ({ id }) => <OrganizationPage key={id} id={id} /> },
  {
    at: /^set-up(?:\/(\d+))?$/,
    isOperators: true,
    show: ({ id, isTest }) => <SetUpPage id={Number.isNaN(id) ? null : id} isTest={isTest} />,
  },
  { at: /^keys$/, show: () => <KeysPage /> },
  { at: /^people$/, show: ({ visitor }) => <People visitor={visitor} /> },
  { at: /^providers$/, isOperators: true, show: () => <Moved to="people" /> },
  { at: /^accounts$/, show: () => <Moved to="people" /> },
  { at: /^instances$/, isOperators: true, show: () => <Instances /> },
  { at: /^audit$/, isOperators: true, show: () => <AuditPage /> },
]

/** Goes where a page is now, with what narrows it. */
function Moved({ to }: { to: string }) {
  useLayoutEffect(() => goInstead(location.hash.replace(/^#\/?[^?]*/, to)), [to])
  return null
}

const NoSuchPage = ({ why }: { why: string }) => (
  <ConsolePage title={t('console.noPage')} back={{ route: '', name: t('console.home') }}>
    <p>{why}</p>
  </ConsolePage>
)

const settingsTabs = {
  organizations: t('console.organizations'),
  keys: t('console.keys'),
  people: t('console.people'),
  instances: t('console.instances'),
  audit: t('console.audit'),
} as const

function SettingsTabs({ part, isOperator }: { part: string; isOperator: boolean }) {
  const isForAll = (to: string) => !parts.some(({ at, isOperators }) => isOperators && at.test(to))
  return (
    <nav class="settings" aria-label={t('place.settings')}>
      {Object.entries(settingsTabs)
        .filter(([to]) => isOperator || isForAll(to))
        .map(([to, name]) => (
          <a key={to} href={`#/${to}`} aria-current={part === to ? 'page' : undefined}>
            {name}
          </a>
        ))}
    </nav>
  )
}
