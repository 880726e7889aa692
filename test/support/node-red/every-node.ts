/** Every node of the package in one flow: how each is called, and what it gives when all is well. */
import { expect } from 'chai'
import { aCreatedTask, type CreatedTask } from '../service/a-created-task.ts'
import type { HostedService } from '../service/hosted-service.ts'
import { anOrder, SIGNER } from '../service/order.ts'
import * as nodes from './flow.ts'
import type { FlowNode, NodeRed } from './node-red.ts'
import type { Seen } from './watch-probe.ts'

export interface Operation {
  id: string
  /** The node as its form saves it, and its probes. */
  flow: FlowNode[]
  /** What a task must have come to before the node is called; nothing for a node that needs no task. */
  task?: 'Pending' | 'Completed'
  message?: (task: CreatedTask) => object
  /** It calls no host, so none can refuse it. */
  isLocal?: true
  /** What the message that leaves by the first output holds. */
  gives: (message: Seen, taskId: number) => void
}

/** What a message about a task holds, for any node. */
export const aboutTask = ({ taskId }: CreatedTask) => ({ taskId, savedId: `SAVED-${taskId}` })

/** One message in, one call, one message out. */
export const OPERATIONS: Operation[] = [
  {
    id: 'create',
    flow: nodes.createTask(),
    message: () => anOrder(),
    gives: ({ status }) => expect(status).to.equal('Received'),
  },
  {
    id: 'download',
    flow: nodes.download(),
    task: 'Completed',
    gives: ({ payload }) => expect(String(payload).slice(0, 5)).to.equal('%PDF-'),
  },
  {
    id: 'retract',
    flow: nodes.retract(),
    task: 'Pending',
    gives: ({ status }) => expect(status).to.equal('Retracted'),
  },
  {
    id: 'record',
    flow: nodes.record(),
    task: 'Completed',
    gives: ({ externalSavedDocumentId }, taskId) => expect(externalSavedDocumentId).to.equal(`SAVED-${taskId}`),
  },
  {
    id: 'done',
    flow: nodes.done(),
    task: 'Completed',
    isLocal: true,
    gives: ({ taskId }, expected) => expect(taskId).to.equal(expected),
  },
  {
    id: 'reconcile',
    flow: nodes.reconcile(),
    task: 'Completed',
    message: () => ({}),
    gives: ({ status }) => expect(status).to.equal('Completed'),
  },
  {
    id: 'overdue',
    flow: nodes.overdue({ afterDays: '0' }),
    task: 'Pending',
    message: () => ({}),
    gives: ({ threshold }) => expect(threshold).to.equal(0),
  },
  {
    id: 'read',
    flow: nodes.read(),
    task: 'Pending',
    gives: ({ status }) => expect(status).to.equal('Pending'),
  },
  {
    id: 'list',
    flow: nodes.list(),
    task: 'Pending',
    message: ({ externalDocId }) => ({ externalDocId }),
    gives: ({ payload }, taskId) => expect((payload as { taskId: number }[])[0]).to.include({ taskId }),
  },
  {
    id: 'look-up',
    flow: nodes.lookUp(),
    message: () => ({ userNPI: SIGNER.signs }),
    gives: ({ payload }) => expect(payload).to.include({ npi: SIGNER.signs }),
  },
  {
    id: 'signer',
    flow: nodes.signer(),
    task: 'Pending',
    gives: ({ taskId }, expected) => expect(taskId).to.equal(expected),
  },
]

/** One that holds its messages, one that calls no service, one that has no input, and one that needs a signed PDF. */
const OTHERS = ['wait', 'preview', 'webhook', 'check-signed']
const IDS = [...OPERATIONS.map(({ id }) => id), ...OTHERS]

const WEBHOOK_PATH = 'countersign/events'

/** All nodes on the service `connection`; `name` is what a deploy changes about each of them. */
export const everyNode = (red: NodeRed, connection: FlowNode, name: string): FlowNode[] =>
  nodes.flow(
    connection,
    ...[
      ...OPERATIONS.flatMap(({ flow }) => flow),
      ...nodes.wait(),
      ...nodes.preview(),
      ...nodes.checkSigned(),
      ...nodes.webhookIn({ path: WEBHOOK_PATH, publicUrl: red.nodeUrl(WEBHOOK_PATH) }),
    ].map((node) => (IDS.includes(node.id) ? { ...node, name } : node)),
  )

/** Calls each node once and checks what it gives against the table. */
export async function eachWorks(red: NodeRed, service: HostedService): Promise<void> {
  await red.statusOf('webhook', 'listening')
  const calls = OPERATIONS.map(async ({ id, task, message = aboutTask, gives }) => {
    const made = task ? await aCreatedTask(red, service, task) : { taskId: 0, externalDocId: '' }
    const sent = { ...message(made), topic: `${id} by itself` }
    red.inject(id, sent)
    gives(await red.next(`${id}.0`, ({ topic }) => topic === sent.topic), made.taskId)
  })
  await Promise.all([...calls, waits(red, service), previews(red)])
  expect(red.waiting('caught')).to.deep.equal([])
}

async function waits(red: NodeRed, service: HostedService) {
  const { taskId } = await aCreatedTask(red, service, 'Pending')
  red.inject('wait', { taskId })
  await red.statusOf('wait', /waiting$/)
  await service.signs(taskId)
  expect(await red.next('wait.0', (message) => message.taskId === taskId)).to.include({ status: 'Completed' })
  await red.next('webhook.0', (message) => message.taskId === taskId && message.status === 'Completed')
}

async function previews(red: NodeRed) {
  red.inject('preview', anOrder())
  expect((await red.next('preview.0')).fields).to.be.an('array').that.is.not.empty
}
