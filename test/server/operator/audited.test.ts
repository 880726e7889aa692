/** Every row of the operator's interface that changes something leaves an entry in the audit log. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { type CommandContext, operatorContext } from '../../../server/cli/command/operator-context.ts'
import type { AuditAction } from '../../../server/domain/audit.ts'
import { operator } from '../../../server/operations/operator/table.ts'
import { perform } from '../../../server/operations/perform.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { claim, hold, present, review } from '../../support/service/task-steps.ts'
import { aDelegation } from '../../support/store/a-delegation.ts'
import { withSecondFactor } from '../../support/store/with-second-factor.ts'
import { AT, LEASE, newTask, pending } from '../store/stores-in.ts'

const PASSWORD = 'correct horse battery staple'
const NPI = '9999900076'
/** Rows that need a running service: `set-up.test.ts` looks for their entries. */
const OF_A_SERVICE: ReadonlySet<string> = new Set(['createReceiver', 'testReceiver', 'sendTestOrder'])

interface Case {
  action: AuditAction
  params?: Record<string, string>
  body?: unknown
}

/** Ends an attempt in the way that pauses its receiver. */
async function fallSilent({ outbox }: Store): Promise<void> {
  const choose = (queues: readonly { subscriptionId: number }[]) =>
    queues.map(({ subscriptionId }) => ({ subscriptionId, lane: 'first' as const, limit: 1 }))
  const [delivery] = await outbox.claim({ at: AT, leaseUntil: LEASE, lease: 'one', choose })
  const result = { startedAt: AT, durationMs: 1, connectMs: 1, firstByteMs: 1, answerBytes: 0, answer: null }
  const until = AT.getTime() + 300_000
  const finding = { at: AT.getTime(), openings: 1, slots: 1, pausedFrom: AT.getTime(), pausedUntil: until }
  await outbox.settle(
    [
      {
        delivery: delivery!,
        result: { ...result, status: 500, outcome: 'http' },
        outcome: { state: 'waiting', dueAt: new Date(until) },
        finding,
      },
    ],
    'one',
    AT,
  )
}

/** A task that waits for its signer since a person decided that its patient is one who was known. */
async function decidedAndPending(store: Store, id: number): Promise<number> {
  const { id: taskId } = await store.forOrganization(id).tasks.create(newTask({ externalDocId: 'DOC-TWIN' }), AT)
  await claim(store, AT, LEASE, 100)
  await hold(store, taskId, { outcome: 'review', reason: 'Like another one', candidateIds: [1] }, AT)
  await review(store, taskId, { same: 1 }, AT)
  const claimed = (await claim(store, AT, LEASE, 100)).find((task) => task.id === taskId)!
  const placed = { patientId: 1, routedTo: id, routedBy: 'primary' as const, fields: [] }
  await present(store, claimed, placed, { at: AT, eventId: randomUUID() })
  return taskId
}

describe('The operator’s interface', () => {
  it('leaves an audit entry of every change, by whom and of what', async () => {
    const store = await openStore(':memory:', Buffer.alloc(32, 1))
    const by = { kind: 'operator', id: 'tester' } as const
    const context: CommandContext = { ...operatorContext(store, AT), offersNotices: true, by }
    const done = new Set<string>()
    const auditedFrom = async (sequence: number) => {
      const rows = []
      for await (const row of store.audit.rows(sequence)) rows.push(row)
      return rows
    }

    /** Performs the row as the command line does, and returns its answer. */
    async function performs<T>(name: string, { action, params, body }: Case): Promise<T> {
      const { sequence } = await store.audit.head()
      const sent = { ...(params && { params }), ...(body !== undefined && { body }) }
      const result = await perform(operator[name] as never, context as never, sent)
      const entries = await auditedFrom(sequence)
      expect(
        entries.map((entry) => [entry.action, entry.actor, entry.actorId, entry.outcome]),
        name,
      ).to.deep.include([action, 'operator', 'tester', 'done'])
      done.add(name)
      return result as T
    }

    const organization = { name: 'Willow Creek', addresses: [], ingestionEnabled: true }
    const { id } = await performs<{ id: number }>('createOrganization', {
      action: 'organization.create',
      body: organization,
    })
    const ofOrganization = { id: String(id) }
    const change = { ingestionEnabled: true, addresses: [] }
    await performs('updateOrganization', { action: 'organization.update', params: ofOrganization, body: change })
    for (const [action, isActive] of [
      ['organization.deactivate', false],
      ['organization.activate', true],
    ] as const)
      await performs('updateOrganization', { action, params: ofOrganization, body: { isActive } })
    const issued = await performs<{ keyId: string }>('issueKey', {
      action: 'key.issue',
      params: ofOrganization,
      body: { personName: 'Ann Vale', description: 'Test' },
    })
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const ofKey = { ...ofOrganization, keyId: issued.keyId }
    await performs('rotateKey', { action: 'key.rotate', params: ofKey, body: { until } })
    await performs('revokeKey', { action: 'key.revoke', params: { ...ofOrganization, keyId: issued.keyId } })
    const name = { firstName: 'Mia', lastName: 'Berg', signingName: 'Mia Berg MD' }
    const provider = { npi: NPI, ...name, organizationIds: [id] }
    await performs('createProvider', { action: 'provider.create', body: provider })
    await performs('updateProvider', { action: 'provider.update', params: { npi: NPI }, body: { isActive: true } })
    const notices = { mode: 'daily', hour: 7, timeZone: 'America/Chicago', address: 'mia@willow.example' }
    await performs('setProviderNotices', { action: 'notices.update', params: { npi: NPI }, body: notices })
    await performs('remindProvider', { action: 'notices.remind', params: { npi: NPI } })
    await performs('updateOrganization', {
      action: 'organization.update',
      params: ofOrganization,
      body: { allowsDelegation: true },
    })
    const delegationId = await aDelegation(store, id)
    await performs('endDelegation', {
      action: 'delegation.end',
      params: { id: String(delegationId) },
    })
    const type = { name: 'Order', category: 'Order' }
    await performs('createDocumentType', { action: 'document-type.create', body: type })

    const box = { left: 72, top: 600, right: 252, bottom: 636 }
    const template = {
      organizationId: id,
      summary: 'Verbal order',
      clinicalDateLabel: 'Date',
      diagnosisCode: 'none',
      fields: [{ type: 'VisibleSignature', page: 1, required: true, box }],
    }
    const { templateId } = await performs<{ templateId: number }>('createTemplate', {
      action: 'template.create',
      body: template,
    })
    const ofTemplate = { id: String(templateId) }
    await performs('updateTemplate', { action: 'template.update', params: ofTemplate, body: { summary: 'Order' } })
    await performs('keepTemplateSample', {
      action: 'template.sample',
      params: ofTemplate,
      body: Buffer.from('%PDF-1.7'),
    })
    await performs('retireTemplate', { action: 'template.retire', params: ofTemplate })

    const account = { email: 'ann@willow.example', name: 'Ann Vale', role: 'administrator', organizationId: id }
    const person = await performs<{ id: number }>('createAccount', {
      action: 'account.create',
      body: { ...account, password: PASSWORD },
    })
    const ofAccount = { id: String(person.id) }
    const newPassword = { password: 'another battery of correct horses' }
    await performs('setPassword', { action: 'account.password', params: ofAccount, body: newPassword })
    await store.identities.link({ issuer: 'https://login.example.org/', subject: 'ann' }, person.id, AT, context.by)
    await performs('unlinkAccount', { action: 'identity.unlink', params: ofAccount })
    await performs('unlockAccount', { action: 'account.unlock', params: ofAccount })
    await withSecondFactor(store, person.id)
    await performs('removeSecondFactor', { action: 'second-factor.remove', params: ofAccount })
    await performs('updateAccount', { action: 'account.update', params: ofAccount, body: { name: 'Ann Vale-Reed' } })
    await performs('signOutAccount', { action: 'account.sign-out', params: ofAccount })
    await performs('updateAccount', { action: 'account.disable', params: ofAccount, body: { isActive: false } })
    await performs('removeAccount', { action: 'account.remove', params: ofAccount })

    const sender = store.forOrganization(id)
    await sender.subscriptions.create('https://receiver.example.org/', null, Buffer.alloc(32), AT)
    const waiting = await pending(store, id, id)
    const cancel = { reason: 'Sent in error' }
    await performs('cancelTask', { action: 'task.cancel', params: { id: String(waiting) }, body: cancel })
    await store.outbox.fanOut(AT, 100)
    const again = { organizationId: id, states: ['waiting', 'failed', 'cancelled', 'delivered'] }
    await performs('redeliver', { action: 'delivery.redeliver', body: again })
    const ofReceiver = { id: '1' }
    await performs('verifyAudit', { action: 'audit.verify' })
    await fallSilent(store)
    await performs('addReceiverSecret', { action: 'subscription.rotate', params: ofReceiver, body: { until } })
    await performs('useReceiverSecret', { action: 'subscription.rotate', params: ofReceiver })
    await performs('resumeReceiver', { action: 'subscription.resume', params: ofReceiver })
    await performs('updateReceiver', { action: 'subscription.update', params: ofReceiver, body: { isActive: false } })
    const held = await sender.tasks.create(newTask(), AT)
    await claim(store, AT, LEASE, 1)
    await hold(store, held.id, { outcome: 'review', reason: 'Nobody knows', candidateIds: [] }, AT)
    await performs('searchTasks', { action: 'task.search', body: { search: 'Unknown' } })
    const undone = await decidedAndPending(store, id)
    await performs('undoTaskReview', { action: 'task.reopen', params: { id: String(undone) } })
    const decision = { decision: 'fail', reason: `Unknown ${randomUUID()}` }
    await performs('reviewTask', { action: 'task.fail', params: { id: String(held.id) }, body: decision })

    const changes = Object.entries(operator).filter(([name, { method }]) => method !== 'get' && !OF_A_SERVICE.has(name))
    expect([...done].sort()).to.deep.equal(changes.map(([row]) => row).sort())
    await store.close()
  })
})
