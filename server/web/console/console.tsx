/** The console: its parts by route, and how much is waiting in each. */
import { useEffect } from 'preact/hooks'
import type { Counts } from '../../operations/operator/messages/tasks.ts'
import { leaveErrors } from '../shared/announce.tsx'
import { grouped } from '../shared/format.ts'
import { PageHead } from '../shared/page-head.tsx'
import { useRoute } from '../shared/route.ts'
import type { Visitor } from '../shared/sign-in/account.ts'
import { Deliveries } from './deliveries/deliveries.tsx'
import { Instances } from './instances/instances.tsx'
import { WorkerLine } from './instances/worker-line.tsx'
import { useLive } from './live.ts'
import { OrganizationPage } from './organizations/organization-page.tsx'
import { Organizations } from './organizations/organizations.tsx'
import { Accounts } from './settings/accounts.tsx'
import { Providers } from './settings/providers.tsx'
import { TaskList } from './tasks/task-list.tsx'
import { TaskPage } from './tasks/task-page.tsx'
import { TemplateEditor } from './templates/template-editor.tsx'
import { Templates } from './templates/templates.tsx'

interface ConsoleProps {
  visitor: Visitor
  signOut(): void
}

export function Console({ visitor, signOut }: ConsoleProps) {
  const route = useRoute()
  useEffect(leaveErrors, [route])
  const [counts] = useLive<Counts>('/counts')
  const [part = ''] = route.split('/')
  const isOperator = visitor.role === 'operator'
  const tab = (to: string, name: string, waiting = 0) => (
    <a href={`#/${to}`} aria-current={part === to || (to === '' && part === 'tasks') ? 'page' : undefined}>
      {name} {waiting > 0 && <span class="count">{grouped(waiting)}</span>}
    </a>
  )
  return (
    <>
      <PageHead visitor={visitor} signOut={signOut}>
        <nav aria-label="Console">
          {tab('', 'Tasks')}
          {tab('review', 'Review', counts?.inReview)}
          {tab('deliveries', 'Deliveries', counts?.deliveriesFailed)}
          {tab('templates', 'Templates')}
          <a href="#/organizations" aria-current={part in settingsTabs ? 'page' : undefined}>
            Settings
          </a>
        </nav>
      </PageHead>
      <div class="status-line">
        {counts && <Workload counts={counts} />}
        <WorkerLine isOperator={isOperator} />
      </div>
      {part in settingsTabs && <SettingsTabs part={part} isOperator={isOperator} />}
      <Part route={route} visitor={visitor} />
    </>
  )
}

function Part({ route, visitor }: { route: string; visitor: Visitor }) {
  const isOperator = visitor.role === 'operator'
  const [, taskId] = /^tasks\/(\d+)$/.exec(route) ?? []
  if (taskId) return <TaskPage key={taskId} taskId={Number(taskId)} />
  if (route === 'review') return <TaskList key="review" inReview />
  if (route === 'deliveries') return <Deliveries />
  if (route === 'templates') return <Templates isOperator={isOperator} />
  if (route === 'templates/new') return <TemplateEditor key="new" templateId={null} isOperator={isOperator} />
  const [, templateId] = /^templates\/(\d+)$/.exec(route) ?? []
  if (templateId) return <TemplateEditor key={templateId} templateId={Number(templateId)} isOperator={isOperator} />
  const [, organizationId] = /^organizations\/(\d+)$/.exec(route) ?? []
  if (organizationId) return <OrganizationPage key={organizationId} id={Number(organizationId)} />
  if (route === 'organizations') return <Organizations isOperator={isOperator} />
  if (route === 'providers') return <Providers />
  if (route === 'instances' && isOperator) return <Instances />
  if (route === 'accounts') return <Accounts visitor={visitor} />
  return <TaskList key="tasks" />
}

const settingsTabs = {
  organizations: 'Organizations',
  providers: 'Providers',
  accounts: 'Accounts',
  instances: 'Instances',
} as const
const OPERATORS_OWN: readonly string[] = ['providers', 'instances']

function SettingsTabs({ part, isOperator }: { part: string; isOperator: boolean }) {
  return (
    <nav class="settings" aria-label="Settings">
      {Object.entries(settingsTabs)
        .filter(([to]) => isOperator || !OPERATORS_OWN.includes(to))
        .map(([to, name]) => (
          <a key={to} href={`#/${to}`} aria-current={part === to ? 'page' : undefined}>
            {name}
          </a>
        ))}
    </nav>
  )
}

function Workload({ counts }: { counts: Counts }) {
  const rows = [
    ['being received', counts.ingesting],
    ['waiting for a signer', counts.pending],
    ['deliveries under way', counts.deliveriesWaiting],
    ['deliveries failed', counts.deliveriesFailed],
  ] as const
  return (
    <ul class="workload" aria-label="What the service is working on">
      {rows.map(([name, number]) => (
        <li key={name}>
          <strong>{grouped(number)}</strong> {name}
        </li>
      ))}
    </ul>
  )
}
