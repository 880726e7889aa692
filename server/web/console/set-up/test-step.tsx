/** A test order: sent to a chosen signer, followed until it is signed and the receivers have answered, and cancelled if it is not. */

import type { StoredProvider } from '../../../operations/operator/messages/providers.ts'
import type { CancelBody, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import type { TestOrderBody } from '../../../operations/operator/messages/test-order.ts'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { callAdmin } from '../admin-api.ts'
import type { Texts } from '../entry-form.tsx'
import { Choice, FieldForm } from '../field-form.tsx'
import { Status } from '../tasks/status.tsx'
import { Timeline } from '../tasks/timeline.tsx'
import { More, Step } from './step.tsx'

export interface DocumentType {
  id: number
  name: string
}

interface TestStepProps {
  organizationId: number
  isTest: boolean
  /** The first step that has to be done before; null when nothing is missing. */
  missing: string | null
  /** Those who can sign. */
  signers: readonly StoredProvider[]
  types: readonly DocumentType[]
  /** The newest test order of the agency; null when there is none. */
  order: TaskFile | null
  isNext: boolean
  reload(): Promise<void>
}

/** Whether the order has come to its end, and each receiver has the news. */
export const isThrough = ({ task, deliveries }: TaskFile): boolean =>
  ['Completed', 'Rejected'].includes(task.status) && deliveries.every(({ state }) => state === 'delivered')

export function TestStep({ organizationId, isTest, missing, signers, types, order, isNext, reload }: TestStepProps) {
  const send = async ({ signerNpi = '', documentTypeId }: Texts) => {
    const body: TestOrderBody = { signerNpi, documentTypeId: Number(documentTypeId) }
    await callAdmin('POST', `/organizations/${organizationId}/test-order`, body)
    await reload()
  }
  return (
    <Step number={5} title={t('setUp.test')} isDone={order !== null && isThrough(order)} isNext={isNext}>
      <p>{t(isTest ? 'setUp.testInSandbox' : 'setUp.testIs')}</p>
      {missing && <p class="notice">{t('setUp.first', { step: missing })}</p>}
      {order && <Order order={order} reload={reload} />}
      {!missing && types.length === 0 && (
        <p>
          {t('setUp.noTypes')} <a href="#/templates">{t('setUp.addType')}</a>
        </p>
      )}
      {!missing && types.length > 0 && (
        <More isOpen={!order} title={t('setUp.testAgain')}>
          <FieldForm verb={t('setUp.sendTest')} isMain={!order} onSend={send}>
            <Choice
              name="signerNpi"
              label={t('setUp.testSigner')}
              placeholder={t('setUp.chooseSigner')}
              options={signers.map(({ npi, signingName }) => [npi, `${signingName}, ${npi}`])}
            />
            {/* A test is of no type: any will do, and the first is chosen. */}
            <Choice
              name="documentTypeId"
              label={t('setUp.testType')}
              options={types.map(({ id, name }) => [String(id), name])}
            />
          </FieldForm>
        </More>
      )}
    </Step>
  )
}

function Order({ order, reload }: { order: TaskFile; reload(): Promise<void> }) {
  const { task, mayCancel } = order
  return (
    <div class="stack test-order">
      <p class="bulk">
        <a href={`#/tasks/${task.taskId}`}>{t('setUp.order', { number: String(task.taskId) })}</a>{' '}
        <Status status={task.status} />
        <strong role="status">{outcomeOf(order)}</strong>
        {mayCancel && (
          <button type="button" onClick={() => void cancelTest(task.taskId, reload)}>
            {t('setUp.cancelTest')}
          </button>
        )}
      </p>
      <Timeline file={order} onChange={reload} />
    </div>
  )
}

/** Cancels a test order that waits, with a reason that the agency reads. */
export const cancelTest = (taskId: number, reload?: () => Promise<void>) => {
  const body: CancelBody = { reason: t('setUp.cancelReason') }
  return act('POST', `/tasks/${taskId}/cancel`, { body, done: t('setUp.cancelled'), ...(reload && { reload }) })
}

function outcomeOf(order: TaskFile): string {
  const { task, deliveries, review } = order
  if (review) return t('setUp.inReview')
  if (isThrough(order)) return t(deliveries.length > 0 ? 'setUp.through' : 'setUp.throughAlone')
  if (['Completed', 'Rejected'].includes(task.status))
    return t(deliveries.some(({ state }) => state === 'failed') ? 'setUp.notDelivered' : 'setUp.delivering')
  if (task.status === 'Pending') return t('setUp.waits', { signer: task.signer })
  if (task.status === 'Failed') return t('setUp.failed')
  return task.status === 'Cancelled' || task.status === 'Retracted' ? t('setUp.testCancelled') : t('setUp.underWay')
}
