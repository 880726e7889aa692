/** Shipped examples, each broken in one way that a rehearsal must find, with the scenario and the sentence that show it. */
import type { FlowNode } from '../../../server/cli/rehearse/rehearsed-flow.ts'
import { exampleFlow } from '../node-red/examples/examples.ts'

export interface BrokenFlow {
  broken: string
  nodes: FlowNode[]
  scenario: string
  sentence: string
}

const ARCHIVE = 'Archive and file the signed PDF'

const flowOf = (example: string): FlowNode[] => exampleFlow(example) as FlowNode[]
const ofType = (nodes: readonly FlowNode[], type: string): FlowNode =>
  nodes.find((node) => node.type === type) as FlowNode
const changed = (nodes: readonly FlowNode[], type: string, changes: object): FlowNode[] =>
  nodes.map((node) => (node.type === type ? { ...node, ...changes } : node))

const recordRemoved = (): BrokenFlow => {
  const nodes = flowOf(ARCHIVE)
  const { wires } = ofType(nodes, 'countersign-record')
  return {
    broken: 'record removed',
    nodes: changed(nodes, 'countersign-download', { wires }).filter(({ type }) => type !== 'countersign-record'),
    scenario: 'all is well',
    sentence:
      'The outcome Completed was not recorded after countersign-read of “Archive and file” in the scenario “all is well”.',
  }
}

const rejectedOnly = (): BrokenFlow => {
  const nodes = flowOf(ARCHIVE)
  const { wires } = ofType(nodes, 'countersign-wait')
  return {
    broken: 'wait wired to the rejected output only',
    nodes: changed(nodes, 'countersign-wait', { wires: [[], wires?.[1] ?? [], [], []] }),
    scenario: 'all is well',
    sentence:
      'The outcome Completed led nowhere after countersign-wait of “Archive and file” in the scenario “all is well”.',
  }
}

const countedId = (): BrokenFlow => {
  const nodes = flowOf(ARCHIVE)
  const record = ofType(nodes, 'countersign-record')
  const counter: FlowNode = {
    id: 'b0000000000000b1',
    z: record.z,
    type: 'function',
    name: 'number the files',
    outputs: 1,
    func: "const next = (flow.get('next') || 0) + 1\nflow.set('next', next)\nmsg.savedId = 'FILE-' + next\nreturn msg",
    wires: [[record.id]],
  }
  const counting = changed(nodes, 'countersign-download', { wires: [[counter.id]] })
  return {
    broken: 'a saved id from a counter',
    nodes: [...changed(counting, 'countersign-record', { externalSavedDocumentId: 'savedId' }), counter],
    scenario: 'the same messages again',
    sentence:
      'countersign-record of “Archive and file” recorded the same document under another id than before in the scenario “the same messages again”.',
  }
}

const withoutCatch = (): BrokenFlow => ({
  broken: 'no catch',
  nodes: flowOf(ARCHIVE).filter(({ type }) => type !== 'catch'),
  scenario: 'order refused',
  sentence:
    'No catch node received the error of countersign-create-task of “Archive and file” in the scenario “order refused”.',
})

const createdByHand = (): BrokenFlow => {
  const nodes = flowOf('Send an order from HL7')
  const { id, z, wires } = ofType(nodes, 'countersign-create-task')
  const request: FlowNode = {
    id,
    z,
    wires,
    type: 'http request',
    name: 'create by hand',
    method: 'POST',
    ret: 'obj',
    paytoqs: 'ignore',
    url: 'http://127.0.0.1:8090/api/v1/signature/tasks',
    headers: [],
  }
  const waiting = changed(nodes, 'countersign-wait', { taskId: 'payload.taskId' })
  return {
    broken: 'a raw http request in place of create',
    nodes: waiting.map((node) => (node.id === id ? request : node)),
    scenario: 'answers lost',
    sentence: 'The outcome Completed led nowhere after http request “create by hand” in the scenario “answers lost”.',
  }
}

const unverified = (): BrokenFlow => {
  const nodes = flowOf('Send a document and wait for the signature')
  const { id, z, service } = ofType(nodes, 'countersign-webhook-in')
  const input: FlowNode = {
    id,
    z,
    type: 'http in',
    name: 'events',
    url: '/countersign/events',
    method: 'post',
    wires: [['b0000000000000a1', 'b0000000000000a2']],
  }
  const answer = { id: 'b0000000000000a1', z, type: 'http response', statusCode: '204', headers: {}, wires: [] }
  const record = {
    id: 'b0000000000000a2',
    z,
    type: 'countersign-record',
    service,
    version: 1,
    taskId: 'payload.taskId',
    taskIdType: 'msg',
    externalSavedDocumentId: "'SAVED-' & $string(payload.taskId)",
    externalSavedDocumentIdType: 'jsonata',
    archive: false,
    file: false,
    wires: [[]],
  }
  return {
    broken: 'a webhook without verification',
    nodes: [...nodes.map((node) => (node.id === id ? input : node)), answer, record],
    scenario: 'webhooks forged',
    sentence: 'http in “events” let a forged webhook pass in the scenario “webhooks forged”.',
  }
}

export const brokenFlows = (): BrokenFlow[] => [
  recordRemoved(),
  rejectedOnly(),
  countedId(),
  withoutCatch(),
  createdByHand(),
  unverified(),
]
