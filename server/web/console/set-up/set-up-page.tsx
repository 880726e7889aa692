/**
 * Sets an agency up in one page: the agency, its key, its receiver, its signers, and a test order that one watches go through. Each
 * step shows what is stored, so that it can be left at any time and taken up again.
 */
import { useEffect, useRef } from 'preact/hooks'
import type { Person } from '../../../operations/operator/messages/accounts.ts'
import type { OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import type { StoredProvider } from '../../../operations/operator/messages/providers.ts'
import type { Receiver } from '../../../operations/operator/messages/receivers.ts'
import type { TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { go } from '../../shared/route.ts'
import { t } from '../../words/words.ts'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { AgencyStep, maySend } from './agency-step.tsx'
import { KeyStep, validKeys } from './key-step.tsx'
import { ReceiverStep } from './receiver-step.tsx'
import { canSign, SignerStep } from './signer-step.tsx'
import { cancelTest, type DocumentType, isThrough, TestStep } from './test-step.tsx'

interface SetUpPageProps {
  /** Null for a new agency. */
  id: number | null
  isTest: boolean
}

export function SetUpPage({ id, isTest }: SetUpPageProps) {
  const isNew = useRef(id === null).current
  return (
    <ConsolePage title={t('setUp.title')} back={{ route: 'organizations', name: t('setUp.organizations') }}>
      <p>{t('setUp.about')}</p>
      {id === null ? (
        <ol class="set-up">
          <AgencyStep file={null} isNext reload={async () => {}} />
        </ol>
      ) : (
        <Known key={id} id={id} isTest={isTest} isNew={isNew} />
      )}
    </ConsolePage>
  )
}

interface KnownProps {
  id: number
  isTest: boolean
  /** Whether the agency was added on this page a moment ago. */
  isNew: boolean
}

function Known({ id, isTest, isNew }: KnownProps) {
  const [file, reloadFile, missing] = useLive<OrganizationFile>(`/organizations/${id}`)
  const [receivers, reloadReceivers] = useLive<Receiver[]>(`/receivers?organizationId=${id}`)
  const [signers, reloadSigners] = useLive<StoredProvider[]>('/providers')
  const [accounts, reloadAccounts] = useLive<Person[]>('/accounts')
  const [types] = useLive<DocumentType[]>('/document-types')
  const [test, reloadTest] = useLive<{ order: TaskFile | null }>(`/organizations/${id}/test-order`)
  if (!file || !receivers || !signers || !accounts || !types || !test)
    return <p class="loading">{missing || t('service.loading')}</p>
  return (
    <Steps
      {...{ id, isTest, isNew, file, receivers, signers, accounts, types, reloadFile, reloadReceivers, reloadTest }}
      order={test.order}
      reloadSigners={async () => void (await Promise.all([reloadSigners(), reloadAccounts()]))}
    />
  )
}

interface StepsProps extends KnownProps {
  file: OrganizationFile
  receivers: readonly Receiver[]
  signers: readonly StoredProvider[]
  accounts: readonly Person[]
  types: readonly DocumentType[]
  order: TaskFile | null
  reloadFile(): Promise<void>
  reloadReceivers(): Promise<void>
  reloadSigners(): Promise<void>
  reloadTest(): Promise<void>
}

function Steps({ id, isTest, isNew, file, receivers, signers, accounts, types, order, ...reload }: StepsProps) {
  const able = signers.filter((signer) => canSign(signer, accounts))
  const isDone = [maySend(file), validKeys(file.keys).length > 0, able.length > 0]
  const next = [...isDone, order !== null && isThrough(order)].indexOf(false)
  const names = [t('setUp.agency'), t('setUp.key'), t('setUp.signers')]
  useFocusOn(next, isNew ? 0 : next)
  const finish = async () => {
    if (order?.mayCancel && (await cancelTest(order.task.taskId)) === null) return
    go(`organizations/${id}`)
  }
  return (
    <>
      <ol class="set-up">
        <AgencyStep file={file} isNext={next === 0} reload={reload.reloadFile} />
        <KeyStep organizationId={id} keys={file.keys} isNext={next === 1} reload={reload.reloadFile} />
        <ReceiverStep organizationId={id} receivers={receivers} reload={reload.reloadReceivers} />
        <SignerStep
          organizationId={id}
          signers={signers}
          accounts={accounts}
          isNext={next === 2}
          reload={reload.reloadSigners}
        />
        <TestStep
          organizationId={id}
          isTest={isTest}
          missing={names[isDone.indexOf(false)] ?? null}
          signers={able}
          types={types}
          order={order}
          isNext={next === 3}
          reload={reload.reloadTest}
        />
      </ol>
      <p class="bulk">
        <button type="button" onClick={() => void finish()}>
          {t('setUp.finish')}
        </button>
        {order?.mayCancel ? t('setUp.finishCancels') : t('setUp.later')}
      </p>
    </>
  )
}

/** Has the focus go on to the next step when the one before it is done. */
function useFocusOn(next: number, first: number): void {
  const before = useRef(first)
  useEffect(() => {
    // Behind a dialog nothing can have it; the page is drawn again when that is closed.
    if (before.current === next || document.querySelector('dialog[open]')) return
    before.current = next
    document.querySelector<HTMLElement>('.set-up-step[data-next] :is(input, select)')?.focus()
  })
}
