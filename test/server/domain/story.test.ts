/** The sentences of the story of a task, which signers, senders and operators read: who did what, for whom, and what became of it. */
import { expect } from 'chai'
import { type StoryAct, type StoryDelivery, type StoryFacts, storyOf } from '../../../server/domain/task/story.ts'

const OWNER = { npi: '9999900027', name: 'Ian Voss MD' }
const SIGNER = { kind: 'signer', id: OWNER.npi, name: OWNER.name } as const
const DELEGATE = { kind: 'signer', id: '9999900019', name: 'Helen Marsh MD' } as const
const UNNAMED = { kind: 'signer', id: '9999900035', name: null } as const
const KEY = { kind: 'key', id: 'k1', name: 'Willow EHR' } as const
const SERVICE = { kind: 'service', id: null, name: null } as const
const OPERATOR = { kind: 'operator', id: '7', name: 'Nora Quist' } as const
const VISITOR = { kind: 'visitor', id: null, name: null } as const

const T = (minute: number) => `2026-01-15T09:${String(minute).padStart(2, '0')}:00.000Z`
const FACTS: StoryFacts = {
  signer: OWNER,
  sender: 'Willow Creek',
  statusReason: null,
  savedDocumentId: null,
  patientId: null,
  patientCreatedAt: null,
  acts: [],
  events: [],
  deliveries: [],
}
const act = (action: StoryAct['action'], change: Partial<StoryAct> = {}): StoryAct => ({
  ...{ at: T(0), action, outcome: 'done', actor: SERVICE, requestId: null, subject: null, subjectName: null },
  ...change,
})
const entriesOf = (acts: readonly StoryAct[], change: Partial<StoryFacts> = {}) =>
  storyOf({ ...FACTS, ...change, acts })
const sentences = (...given: Parameters<typeof entriesOf>) => entriesOf(...given).map(({ sentence }) => sentence)

describe('The story of a task', () => {
  const one: [act: StoryAct, facts: Partial<StoryFacts>, ...right: string[]][] = [
    [act('task.create', { actor: KEY }), {}, 'Received from Willow Creek, with key k1 of Willow EHR.'],
    [
      act('task.create', { actor: { ...KEY, name: null }, requestId: 'r-5' }),
      {},
      'Received from Willow Creek, with key k1, request r-5.',
    ],
    [act('task.present'), {}, 'Placed in the inbox of Ian Voss MD.'],
    [
      act('task.present'),
      { patientId: 16, patientCreatedAt: T(3) },
      ...['Matched to patient 16.', 'Placed in the inbox of Ian Voss MD.'],
    ],
    [
      act('task.present', { subject: 'patient 18 organization 3 orgNPI fields 4', subjectName: 'Lake Clinic' }),
      { patientId: 16, patientCreatedAt: T(0) },
      ...['Matched to new patient 18.', 'Routed to Lake Clinic, by the NPI that the sender gave.'],
      ...['4 fields placed on the document.', 'Placed in the inbox of Ian Voss MD.'],
    ],
    [
      act('task.present', { subject: 'patient 18 organization 3 address fields 1', subjectName: 'Lake Clinic' }),
      {},
      ...['Matched to patient 18.', 'Routed to Lake Clinic, by the address that the sender gave.'],
      ...['1 field placed on the document.', 'Placed in the inbox of Ian Voss MD.'],
    ],
    [
      act('task.present', { subject: 'patient 18 organization 3 primary fields 0', subjectName: null }),
      {},
      ...['Matched to patient 18.', '0 fields placed on the document.', 'Placed in the inbox of Ian Voss MD.'],
    ],
    [
      act('task.present', { subject: 'patient 18 organization 3 primary fields 2', subjectName: 'Lake Clinic' }),
      {},
      ...['Matched to patient 18.', 'Routed to Lake Clinic, the signer’s primary organization.'],
      ...['2 fields placed on the document.', 'Placed in the inbox of Ian Voss MD.'],
    ],
    [
      act('task.review', { actor: OPERATOR, subject: 'same 39' }),
      {},
      'Decided: same person as patient 39, by Nora Quist.',
    ],
    [
      act('task.review', { actor: OPERATOR, subject: 'new 40' }),
      {},
      'Decided: a different person, new patient 40, by Nora Quist.',
    ],
    [act('task.review', { actor: OPERATOR, subject: 'x same 40' }), {}, 'Patient decided by Nora Quist.'],
    [act('task.fail'), { statusReason: 'document.attachment: encrypted.' }, 'Failed by the service: PDF: encrypted.'],
    [act('task.fail'), {}, 'Failed by the service.'],
    [act('task.sign', { actor: SIGNER }), {}, ...['Signed by Ian Voss MD.', 'The signed document was sealed.']],
    [
      act('task.sign', { actor: DELEGATE }),
      {},
      ...['Signed by Helen Marsh MD for Ian Voss MD.', 'The signed document was sealed.'],
    ],
    [
      act('task.sign', { actor: UNNAMED }),
      {},
      ...['Signed by the signer with NPI 9999900035 for Ian Voss MD.', 'The signed document was sealed.'],
    ],
    [
      act('task.sign'),
      {},
      ...['Signed by the demo script of Ian Voss MD, not by a person.', 'The signed document was sealed.'],
    ],
    [
      act('task.sign', { actor: KEY }),
      {},
      'Signed as Ian Voss MD by a call of the sandbox, with key k1 of Willow EHR.',
      'The signed document was sealed.',
    ],
    [
      act('task.reject', { actor: DELEGATE }),
      { statusReason: 'Not my patient.' },
      'Rejected by Helen Marsh MD for Ian Voss MD: Not my patient.',
    ],
    [act('task.reject', { actor: SIGNER }), {}, 'Rejected by Ian Voss MD.'],
    [
      act('task.retract', { actor: KEY }),
      { statusReason: 'Corrected' },
      'Retracted by key k1 of Willow EHR: Corrected.',
    ],
    [act('task.cancel', { actor: OPERATOR }), {}, 'Cancelled by Nora Quist.'],
    [act('task.cancel', { actor: { ...OPERATOR, name: null } }), {}, 'Cancelled by the operator’s account or key 7.'],
    [
      act('task.cancel', { actor: { kind: 'operator', id: null, name: null } }),
      {},
      'Cancelled by an operator at the command line.',
    ],
    [act('task.record', { actor: KEY }), {}, 'Outcome recorded with key k1 of Willow EHR.'],
    [
      act('task.record', { actor: KEY }),
      { savedDocumentId: 'EHR-9' },
      'Outcome recorded with key k1 of Willow EHR, saved as EHR-9.',
    ],
    [act('task.read', { actor: OPERATOR }), {}, 'Read by Nora Quist.'],
    [act('task.read', { actor: { ...SIGNER, name: 'Voss, I.' } }), {}, 'Read by Ian Voss MD.'],
    [act('task.remove-contents'), {}, 'Document and patient removed, because the task ended long ago.'],
    [act('document.read', { actor: SIGNER }), {}, 'Opened by Ian Voss MD.'],
    [act('document.read', { actor: DELEGATE }), {}, 'Opened by Helen Marsh MD for Ian Voss MD.'],
    [act('document.read', { actor: KEY }), {}, 'Signed document downloaded by key k1 of Willow EHR.'],
    [
      act('document.view', { actor: OPERATOR, subject: 'signed' }),
      {},
      'Signed document opened in the console by Nora Quist.',
    ],
    [
      act('document.view', { actor: OPERATOR, subject: 'original' }),
      {},
      'Document as it was received opened in the console by Nora Quist.',
    ],
    [
      act('document.view', { actor: OPERATOR, subject: 'received' }),
      {},
      'Document opened in the console by Nora Quist.',
    ],
    [act('document.copy', { actor: DELEGATE }), {}, 'Unsigned copy downloaded by Helen Marsh MD for Ian Voss MD.'],
    [
      act('document.differ', { actor: DELEGATE, outcome: 'refused' }),
      {},
      'Signing by Helen Marsh MD for Ian Voss MD stopped: the sealed file would have looked different.',
    ],
    [
      act('seal.fail', { actor: SIGNER, outcome: 'refused' }),
      {},
      'Signing by Ian Voss MD stopped: the seal would not have been valid.',
    ],
  ]
  for (const [given, facts, ...right] of one)
    it(`says: ${right[0]}`, () => expect(sentences([given], facts)).to.deep.equal(right))

  const refused: Partial<Record<StoryAct['action'], string>> = {
    'task.create': 'create the task',
    'task.present': 'present the document',
    'task.review': 'decide who the patient is',
    'task.fail': 'fail the task',
    'task.sign': 'sign the document',
    'task.reject': 'reject the document',
    'task.retract': 'retract the task',
    'task.cancel': 'cancel the task',
    'task.record': 'record the outcome',
    'task.read': 'read the task',
    'task.remove-contents': 'remove the document',
    'document.read': 'read the document',
    'document.view': 'open the document in the console',
    'document.copy': 'download a copy',
  }
  for (const [action, what] of Object.entries(refused))
    it(`says who was refused when trying to ${what}, and that no status came of it`, () => {
      const given = act(action as StoryAct['action'], { actor: VISITOR, outcome: 'refused' })
      const [entry, ...others] = entriesOf([given], { statusReason: 'later' })
      expect(others).to.deep.equal([])
      expect(entry).to.deep.include({
        ...{
          at: T(0),
          kind: action,
          outcome: 'refused',
          by: VISITOR,
          onBehalfOf: null,
          status: null,
          deliveryId: null,
        },
        sentence: `someone who was not signed in was refused when trying to ${what}.`,
      })
    })

  it('has a kind for each of its sentences', () => {
    const kinds = (given: StoryAct) => entriesOf([given]).map(({ kind }) => kind)
    expect(kinds(act('task.sign', { actor: SIGNER }))).to.deep.equal(['task.sign', 'document.seal'])
    const presented = { subject: 'patient 18 organization 3 primary fields 2', subjectName: 'Lake Clinic' }
    expect(kinds(act('task.present', presented))).to.deep.equal([
      ...['task.match', 'task.route', 'task.place', 'task.present'],
    ])
    for (const [{ action, outcome, actor }] of one)
      if (action !== 'task.sign' && action !== 'task.present')
        expect(kinds(act(action, { outcome, actor }))).to.deep.equal([action])
  })

  it('has the values that its sentence names', () => {
    const valuesOf = (...given: Parameters<typeof entriesOf>) => entriesOf(...given).map(({ values }) => values)
    const presented = { subject: 'patient 18 organization 3 primary fields 2', subjectName: 'Lake Clinic' }
    expect(valuesOf([act('task.present', presented)])).to.deep.equal([
      { patient: 18, isNew: 'no' },
      { organization: 'Lake Clinic', route: 'primary' },
      { fields: 2 },
      { signer: OWNER.name },
    ])
    expect(valuesOf([act('task.reject', { actor: DELEGATE })], { statusReason: 'Not my patient.' })).to.deep.equal([
      { signer: OWNER.name, reason: 'Not my patient' },
    ])
  })

  it('names the signer for whom a delegate acted, and only then', () => {
    const owners = (actor: StoryAct['actor']) => entriesOf([act('task.reject', { actor })])[0]!.onBehalfOf
    expect(owners(DELEGATE)).to.deep.equal(OWNER)
    for (const actor of [SIGNER, KEY, SERVICE, OPERATOR]) expect(owners(actor)).to.equal(null)
  })

  it('calls the document signed when it is opened after its end, and not before', () => {
    const acts = [
      act('document.read', { at: T(1), actor: SIGNER }),
      act('task.sign', { at: T(2), actor: DELEGATE, outcome: 'refused' }),
      act('document.read', { at: T(3), actor: SIGNER }),
      act('task.sign', { at: T(4), actor: SIGNER }),
      act('document.read', { at: T(4), actor: SIGNER }),
      act('document.read', { at: T(5), actor: SIGNER }),
    ]
    const opened = entriesOf(acts).filter(({ kind }) => kind === 'document.read')
    expect(opened.map(({ at, sentence }) => [at, sentence])).to.deep.equal([
      [T(1), 'Opened by Ian Voss MD.'],
      [T(3), 'Opened by Ian Voss MD.'],
      [T(4), 'Signed document opened by Ian Voss MD.'],
      [T(5), 'Signed document opened by Ian Voss MD.'],
    ])
    const rejected = entriesOf([act('task.reject', { at: T(1) }), act('document.read', { at: T(2), actor: SIGNER })])
    expect(rejected.at(-1)!.sentence).to.equal('Signed document opened by Ian Voss MD.')
  })

  it('has a status at the act that changed it, and at an event without an act', () => {
    const events = [
      { eventId: 'e1', status: 'Pending', at: T(1) },
      { eventId: 'e2', status: 'Completed', at: T(6) },
    ] as const
    const presented = act('task.present', { at: T(1), subject: 'patient 18 organization 3 primary fields 2' })
    const entries = entriesOf([presented, act('task.read', { at: T(2), actor: KEY })], { events })
    expect(entries.map(({ kind, status, sentence }) => [kind, status, sentence])).to.deep.equal([
      ['task.match', null, 'Matched to patient 18.'],
      ['task.place', null, '2 fields placed on the document.'],
      ['task.present', 'Pending', 'Placed in the inbox of Ian Voss MD.'],
      ['task.read', null, 'Read by key k1 of Willow EHR.'],
      ['event', 'Completed', 'The status became Completed.'],
    ])
    expect(entries.at(-1)).to.deep.include({
      at: T(6),
      outcome: 'done',
      by: SERVICE,
      onBehalfOf: null,
      deliveryId: null,
    })
    const statuses = (action: StoryAct['action']) => entriesOf([act(action)]).flatMap(({ status }) => status ?? [])
    expect(
      (['task.sign', 'task.reject', 'task.retract', 'task.cancel', 'task.fail', 'task.record'] as const).map(statuses),
    ).to.deep.equal([['Completed'], ['Rejected'], ['Retracted'], ['Cancelled'], ['Failed'], []])
  })

  const delivery: StoryDelivery = {
    ...{ id: 5, eventId: 'e1', receiver: 'Willow EHR', state: 'delivered', occurredAt: T(9), isHeld: false, log: [] },
  }
  const tried = (status: number | null, outcome: StoryDelivery['log'][number]['outcome'] = 'http', minute = 10) => ({
    ...{ startedAt: T(minute), durationMs: 4, status, outcome },
  })
  const sent: [change: Partial<StoryDelivery>, right: string][] = [
    [{}, 'Pending sent to Willow EHR: delivered.'],
    [{ eventId: 'unknown' }, 'Event sent to Willow EHR: delivered.'],
    [{ log: [tried(204)] }, 'Pending sent to Willow EHR: answered 204.'],
    [{ log: [tried(500), tried(204)] }, 'Pending sent to Willow EHR: answered 204, after 2 attempts.'],
    [{ state: 'waiting' }, 'Pending is waiting to be sent to Willow EHR: no attempt yet.'],
    [
      { state: 'waiting', isHeld: true, log: [tried(null, 'timeout')] },
      'Pending is waiting to be sent to Willow EHR, which is paused: 1 attempt, the last not answered in time.',
    ],
    [
      { state: 'failed', log: [tried(503), tried(null, 'dns')] },
      'Pending was not delivered to Willow EHR: 2 attempts, the last with a host name that could not be resolved.',
    ],
    [
      { state: 'cancelled', log: [tried(null, 'tls')] },
      'Pending will not be sent to Willow EHR, whose subscription is off: 1 attempt, the last without a TLS connection.',
    ],
    [
      { state: 'failed', log: [tried(null, 'connection')] },
      'Pending was not delivered to Willow EHR: 1 attempt, the last without a connection.',
    ],
    [
      { state: 'failed', log: [tried(null, 'blocked_target')] },
      'Pending was not delivered to Willow EHR: 1 attempt, the last to an address that is not allowed.',
    ],
    [
      { state: 'failed', log: [tried(null)] },
      'Pending was not delivered to Willow EHR: 1 attempt, the last not acknowledged.',
    ],
    [{ log: [tried(500), tried(null, 'delivered')] }, 'Pending sent to Willow EHR: delivered, after 2 attempts.'],
  ]
  for (const [change, right] of sent)
    it(`says: ${right}`, () => {
      const events = [{ eventId: 'e1', status: 'Pending', at: T(1) }] as const
      const entries = entriesOf([act('task.present')], { events, deliveries: [{ ...delivery, ...change }] })
      const at = change.log?.at(-1)?.startedAt ?? T(9)
      expect(entries.at(-1)).to.deep.include({
        ...{ at, kind: 'event.send', outcome: 'done', sentence: right, by: SERVICE, onBehalfOf: null, status: null },
        deliveryId: 5,
      })
    })

  it('is in the order of time, and acts of one moment stay in the order of the log', () => {
    const acts = [act('task.read', { at: T(8), actor: KEY }), act('task.record', { at: T(2), actor: KEY })]
    const entries = entriesOf([...acts, act('task.read', { at: T(2), actor: OPERATOR })], {
      deliveries: [{ ...delivery, log: [tried(204, 'delivered', 5)] }],
    })
    expect(entries.map(({ at, kind }) => [at, kind])).to.deep.equal([
      ...[
        [T(2), 'task.record'],
        [T(2), 'task.read'],
        [T(5), 'event.send'],
        [T(8), 'task.read'],
      ],
    ])
  })
})
