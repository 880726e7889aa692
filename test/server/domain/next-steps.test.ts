/** What to do about an order that does not move: for each status and each reason, one sentence and one act that leads somewhere. */
import { expect } from 'chai'
import { taskStatuses } from '../../../lib/contract/task/task-status.ts'
import { failReasons } from '../../../server/domain/task/fail-reasons.ts'
import {
  INGESTION_LATE_MS,
  type NextStep,
  nextSteps,
  SIGNER_SLOW_MS,
  type StuckFacts,
  type StuckReason,
  UNRECORDED_MS,
} from '../../../server/domain/task/next-steps.ts'

const NOW = new Date('2026-03-02T09:00:00.000Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms).toISOString()

const delivered: StuckFacts['deliveries'][number] = {
  state: 'delivered',
  subscriptionId: 12,
  subscriptionState: 'active',
  receiver: 'Willow EHR',
  isHeld: false,
}
const moving: StuckFacts = {
  taskId: 1016,
  status: 'Pending',
  inReview: false,
  statusReason: null,
  isRecorded: false,
  updatedAt: ago(1_000),
  sender: 'Willow Creek',
  organizationId: 4,
  externalDocId: 'WC-77',
  signer: { npi: '9999900018', name: 'Ian Voss MD', isActive: true, mayRemind: false },
  isUnstampable: false,
  deliveries: [delivered],
  isOperator: true,
}
const steps = (change: Partial<StuckFacts>) => nextSteps({ ...moving, ...change }, NOW)
const at = (change: Partial<StuckFacts['deliveries'][number]>) => ({ deliveries: [{ ...delivered, ...change }] })

/** How each reason comes about, and what its button does. */
const reasons: Record<StuckReason, [change: Partial<StuckFacts>, act: Partial<NextStep['act']>]> = {
  review: [{ status: 'Processing', inReview: true }, { kind: 'review' }],
  ingesting: [
    { status: 'Received', updatedAt: ago(INGESTION_LATE_MS + 1) },
    { kind: 'open', route: 'instances' },
  ],
  unknownSigner: [
    { status: 'Failed', statusReason: failReasons.unknownSigner },
    { kind: 'open', route: 'providers?npi=9999900018' },
  ],
  noOrganization: [
    { status: 'Failed', statusReason: failReasons.noOrganization },
    { kind: 'open', route: 'providers' },
  ],
  ingestionOff: [
    { status: 'Failed', statusReason: failReasons.ingestionOff },
    { kind: 'open', route: 'organizations/4' },
  ],
  noSignatureField: [{ status: 'Failed', statusReason: failReasons.noSignatureField }, { kind: 'copy' }],
  noDocument: [{ status: 'Failed', statusReason: failReasons.noDocument }, { kind: 'copy' }],
  givenUp: [{ status: 'Failed', statusReason: failReasons.givenUp }, { kind: 'copy' }],
  unreadable: [{ status: 'Failed', statusReason: 'The PDF is encrypted.' }, { kind: 'copy' }],
  signerInactive: [{ signer: { ...moving.signer, isActive: false } }, { kind: 'open', route: 'providers' }],
  unstampable: [{ isUnstampable: true }, { kind: 'open', route: 'organizations/4' }],
  signerSlow: [{ updatedAt: ago(SIGNER_SLOW_MS + 1) }, { kind: 'copy' }],
  receiverPaused: [at({ state: 'waiting', isHeld: true }), { kind: 'resend', subscriptionId: 12 }],
  receiverOff: [at({ state: 'cancelled', subscriptionState: 'inactive' }), { kind: 'open', route: 'receivers/12' }],
  receiverDeleted: [at({ state: 'cancelled', subscriptionState: 'deleted' }), { kind: 'copy' }],
  deliveryFailed: [at({ state: 'failed' }), { kind: 'resend', subscriptionId: 12 }],
  noReceiver: [{ status: 'Completed', deliveries: [] }, { kind: 'copy' }],
  unrecorded: [{ status: 'Rejected', updatedAt: ago(UNRECORDED_MS + 1) }, { kind: 'copy' }],
}

describe('What to do next about an order', () => {
  for (const [reason, [change, act]] of Object.entries(reasons)) {
    it(`says one sentence and gives one button: ${reason}`, () => {
      const found = steps(change)
      expect(found.map((step) => step.reason)).to.deep.equal([reason])
      const [step] = found
      expect(step?.sentence).to.match(/^[A-Z].*\.$/)
      expect(step?.act.label).to.match(/^[A-Z]/)
      expect(step?.act).to.include(act)
      expect(JSON.stringify(step)).not.to.match(/undefined|null|\w+\[\d\]|performers|subscription 0/)
    })

    it(`leads an administrator to no page of the operator: ${reason}`, () => {
      for (const step of steps({ ...change, isOperator: false })) {
        expect(step.act.kind).not.to.equal('review')
        if (step.act.kind === 'open') expect(step.act.route).to.match(/^(organizations|receivers)\//)
      }
    })
  }

  it('leaves an administrator the pages of their own, and gives a message to the operator for the others', () => {
    const actOf = (reason: StuckReason) => steps({ ...reasons[reason][0], isOperator: false })[0]?.act
    expect(actOf('ingestionOff')).to.include({ kind: 'open', route: 'organizations/4' })
    expect(actOf('receiverOff')).to.include({ kind: 'open', route: 'receivers/12' })
    const messages: [StuckReason, string][] = [
      ['unknownSigner', 'No active signer has NPI 9999900018.'],
      ['noOrganization', 'The signer with NPI 9999900018 has no active organization.'],
      ['ingesting', ''],
      ['review', ''],
    ]
    for (const [reason, begins] of messages) {
      const act = actOf(reason)
      expect(act).to.include({ kind: 'copy', label: 'Copy a message to the operator' })
      expect(act?.kind === 'copy' && act.text.startsWith(`Task 1016: ${begins}`), reason).to.equal(true)
    }
  })

  const toSender: Partial<Record<StuckReason, string>> = {
    noSignatureField: 'it has no field for a signature. Please add one and send the order again',
    noDocument: 'its document is no longer stored. Please send the order again',
    givenUp: 'its PDF could not be read. Please print it to PDF again and send it as a new order',
    unreadable: 'it was returned: The PDF is encrypted.',
    receiverDeleted: 'the subscription it would have been reported to was deleted. Please read the order’s status',
    noReceiver: 'no subscription receives its outcome. Please read the order’s status: it is Completed',
    unrecorded: 'it is Rejected, and its outcome has not been recorded. Please file it',
  }
  for (const [reason, because] of Object.entries(toSender))
    it(`has a message for the sender: ${reason}`, () => {
      expect(steps(reasons[reason as StuckReason][0])[0]?.act).to.deep.equal({
        ...{ kind: 'copy', label: 'Copy a message to the sender' },
        text: `Order WC-77 (task 1016) needs your attention, because ${because}.`,
      })
    })

  for (const status of taskStatuses)
    it(`says nothing of a task that moves: ${status}`, () => {
      expect(steps({ status, statusReason: null, isRecorded: true }).map(({ reason }) => reason)).to.deep.equal(
        // Each failed task waits for its sender.
        status === 'Failed' ? ['unreadable'] : [],
      )
    })

  for (const status of taskStatuses)
    it(`names a receiver that failed in each status that has events: ${status}`, () => {
      const found = steps({ status, isRecorded: true, ...at({ state: 'failed' }) }).map(({ reason }) => reason)
      expect(found.includes('deliveryFailed')).to.equal(status !== 'Received' && status !== 'Processing')
    })

  it('names each receiver once, whatever number of events it lacks', () => {
    const failed = { ...delivered, state: 'failed' as const }
    const found = steps({ deliveries: [failed, failed, { ...failed, subscriptionId: 13, receiver: 'Archive' }] })
    expect(found.map(({ sentence }) => sentence.split(' did ')[0])).to.deep.equal(['Willow EHR', 'Archive'])
  })

  it('reminds a slow signer by e-mail where that is possible', () => {
    const [step] = steps({ ...reasons.signerSlow[0], signer: { ...moving.signer, mayRemind: true } })
    expect(step?.act).to.include({ kind: 'remind', label: 'Send a reminder', npi: '9999900018' })
    expect(steps(reasons.signerSlow[0])[0]?.act).to.deep.equal({
      ...{ kind: 'copy', label: 'Copy a reminder' },
      text: 'A document has been waiting in your inbox for more than three days (order WC-77). Please sign or reject it.',
    })
  })

  it('says to the sender that there is no reason where there is none', () => {
    const [step] = steps({ status: 'Failed', statusReason: null })
    expect(step?.act.kind === 'copy' && step.act.text).to.contain('because it was returned without a reason.')
  })

  it('does not call a retry stuck', () => {
    expect(steps(at({ state: 'waiting' }))).to.deep.equal([])
  })
})
