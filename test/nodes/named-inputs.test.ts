/** What each node says about an input that is empty or wrong: the field as it is sent, the label of its form, and where it looked. */
import { expect } from 'chai'
import * as nodes from '../support/node-red/flow.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

/** Fields, each with what is said of its origin. */
type Told = Record<string, string>
type Row = [node: string, message: object, told: Told]

const aTaskId: Row[] = ['wait', 'download', 'retract', 'record', 'done', 'read', 'signer'].flatMap((id): Row[] => [
  [id, { savedId: 'A-1' }, { taskId: 'Task ID: msg.taskId is empty' }],
  [id, { savedId: 'A-1', taskId: 'Whitfield' }, { taskId: 'Task ID: from msg.taskId' }],
])

const rows: Row[] = [
  ...aTaskId,
  ['record', { taskId: 1, savedId: '' }, { externalSavedDocumentId: 'Saved as: msg.savedId is empty' }],
  ['retract', { taskId: 1, reason: 'Whitfield'.repeat(500) }, { reason: 'Reason: from msg.reason' }],
  ['reconcile', { acknowledge: true }, { taskId: 'msg.taskId is empty' }],
  ['overdue', { taskId: 'Whitfield' }, { taskId: 'Task: from msg.taskId' }],
  ['overdue', { taskId: 1, userNPI: 'Whitfield' }, { userNPI: 'Signer NPI: from msg.userNPI' }],
  ['list', { wanted: 'Whitfield' }, { status: 'Status: from msg.wanted' }],
  ['look-up', {}, { npi: 'NPI: msg.userNPI is empty' }],
  ['look-up', { userNPI: 'Whitfield' }, { npi: 'NPI: from msg.userNPI' }],
  ['preview', { side: 1 }, { 'document.attachment': 'PDF: msg.payload is empty' }],
  [
    'preview',
    { payload: 'Whitfield', side: 'Whitfield' },
    { 'document.attachment': 'PDF: from msg.payload', 'document.annotations.data[0].left': 'Left: from msg.side' },
  ],
  [
    'create',
    {},
    {
      'patient.externalId': 'Patient ID: msg.patient.externalId is empty',
      'patient.names[0].family': 'Family: msg.patient.names[0].family is empty',
      'patient.names[0].given': 'Given: msg.patient.names[0].given is empty',
      'patient.sex': 'Sex: its expression gives nothing',
      'patient.birthDate': 'Birth date: msg.patient.birthDate is empty',
      'patient.addresses': 'Addresses: all of its rows are empty',
      'performers[0].signer.userNPI': 'Signer NPI: flow.userNPI is empty',
      'document.attachment': 'PDF: msg.payload is empty',
      'document.effectiveDate': 'Clinical date: the environment variable CLINICAL_DATE is empty',
      'document.documentTypeId': 'Document type: nothing is entered',
      'document.externalDocId': 'Document ID: msg.externalDocId is empty',
      'document.annotations.data': 'List: msg.annotations is empty',
    },
  ],
  [
    'create',
    {
      patient: {
        externalId: 'W-1',
        names: [{ family: 'Whitfield', given: 7 }],
        sex: 'Whitfield',
        birthDate: 'Whitfield',
        addresses: [{ city: 'Whitfield' }],
      },
      documentTypeId: 'Whitfield',
      externalDocId: 'D-1',
      payload: 'Whitfield',
      annotations: [{ type: 'DateSigned', pageNumber: 1, left: 'Whitfield', top: null, right: 9, bottom: 9 }],
    },
    {
      'patient.names[0].given': 'Given: from msg.patient.names[0].given',
      'patient.sex': 'Sex: from its expression',
      'patient.birthDate': 'Birth date: from msg.patient.birthDate',
      'patient.addresses[0].postalCode': 'ZIP: msg.patient.addresses[0].postalCode is empty',
      'performers[0].signer.userNPI': 'Signer NPI: flow.userNPI is empty',
      'document.attachment': 'PDF: from msg.payload',
      'document.effectiveDate': 'Clinical date: the environment variable CLINICAL_DATE is empty',
      'document.documentTypeId': 'Document type: nothing is entered',
      'document.annotations.data[0].left': 'List: from msg.annotations[0].left',
      'document.annotations.data[0].top': 'List: msg.annotations[0].top is empty',
    },
  ],
  ['body', {}, { body: 'Body: msg.order is empty' }],
  [
    'body',
    { order: { patient: { names: 'Whitfield', sex: '' }, performers: 'Whitfield' } },
    {
      'patient.externalId': 'Body: msg.order.patient.externalId is empty',
      'patient.names[0]': 'Body: from msg.order.patient.names',
      'patient.sex': 'Body: msg.order.patient.sex is empty',
      'patient.birthDate': 'Body: msg.order.patient.birthDate is empty',
      'patient.addresses': 'Body: msg.order.patient.addresses is empty',
      performers: 'Body: from msg.order.performers',
      'document.effectiveDate': 'Body: msg.order.document is empty',
      'document.documentTypeId': 'Body: msg.order.document is empty',
      'document.externalDocId': 'Body: msg.order.document is empty',
      'document.annotations': 'Body: msg.order.document is empty',
      'document.attachment': 'Body: msg.order.document is empty',
    },
  ],
]

/** The path with which a sentence begins, and what stands in parentheses at its end. */
const toldIn = (sentence: string): [string, string] => {
  const [, path, origin] = /^([\w.[\]]+): .* \(([^()]+)\)$/.exec(sentence)!
  return [path!, origin!]
}

const aNumber = (value: string) => ({ type: 'num', value })

/** Under another id; its failures go to the Catch node. */
const called = (id: string, [node]: FlowNode[]): FlowNode => ({ ...node!, id, wires: [] })

describe('an input that is empty or wrong', function () {
  this.timeout(40_000)
  let red: NodeRed

  before(async () => {
    red = await startNodeRed()
    const given = { sex: 'patient.sex', sexType: 'jsonata', userNPIType: 'flow', effectiveDate: 'CLINICAL_DATE' }
    const create = { ...given, effectiveDateType: 'env', documentTypeId: '', placement: 'Json' }
    const field = { type: { type: 'str', value: 'DateSigned' }, left: { type: 'msg', value: 'side' } }
    const edges = { pageNumber: aNumber('1'), top: aNumber('9'), right: aNumber('90'), bottom: aNumber('99') }
    await red.deploy(
      nodes.flow(
        // Nothing listens there: what is wrong is found before any call.
        nodes.host('http://127.0.0.1:9', { credentials: { apiKey: 'key' } }),
        called('create', nodes.createTask(create)),
        called('body', nodes.createTask({ source: 'body', body: 'order' })),
        ...[
          nodes.wait(),
          nodes.download(),
          nodes.retract(),
          nodes.record(),
          nodes.done(),
          nodes.reconcile(),
          nodes.overdue(),
        ].flat(),
        ...[nodes.read(), nodes.list({ taskStatus: 'wanted', taskStatusType: 'msg' }), nodes.lookUp()].flat(),
        ...[nodes.signer(), nodes.webhookIn({ path: '' })].flat(),
        ...nodes.preview({ placement: 'Json', jsonAnnotations: [{ ...field, ...edges }] }),
      ),
    )
  })
  after(() => red?.stop())

  for (const [id, message, told] of rows)
    it(`is named by ${id}, of a message with ${Object.keys(message).join(', ') || 'nothing'}`, async () => {
      red.inject(id, message)
      const { error, errors } = await red.next('caught')
      expect(error).to.deep.include({ code: 'INVALID_INPUT', cause: { kind: 'refused', retryable: false } })
      expect(error?.message).to.equal((errors as string[]).join('; '))
      expect(Object.fromEntries((errors as string[]).map(toldIn))).to.deep.equal(told)
      expect(JSON.stringify([error, errors])).to.not.contain('Whitfield')
    })

  it('of a webhook node is named in the log', () => {
    expect(red.log.join('')).to.match(/webhook.*Path \(path\): empty\. Open the node and enter the path/)
  })

  it('is looked for by more nodes than Node.js lets listen to one event without a warning', () => {
    expect(red.log.join('')).to.not.contain('MaxListenersExceededWarning')
  })
})
