/**
 * Every node over every kind of deploy, in one real Node-RED: it works before and after, whether the node or its service was
 * changed; and every node that calls the service tells a refused key from nobody there.
 */
import { expect } from 'chai'
import * as nodes from '../support/flow.ts'
import { type HostedService, hostedService } from '../support/hosted-service.ts'
import { type DeployType, type FlowNode, freePort, type NodeRed, type Seen, startNodeRed } from '../support/node-red.ts'
import { anOrder, SIGNER } from '../support/order.ts'

interface Row {
  id: string
  /** The node as its form saves it, and its probes. */
  flow: FlowNode[]
  /** What a task must have come to before the node is called; nothing for a node that needs no task. */
  task?: 'Pending' | 'Completed'
  message?: (task: { taskId: number; externalDocId: string }) => object
  /** What the message that leaves by the first output holds. */
  gives: (message: Seen, taskId: number) => void
}

const preview = nodes.operation('preview', 'preview', {
  ...{ attachment: 'payload', attachmentType: 'msg', attachmentForm: 'data' },
  ...{ placement: 'SmartAnnotations', annotationsType: 'msg', drawn: false },
})
const aboutTask = ({ taskId }: { taskId: number }) => ({ taskId, savedId: `SAVED-${taskId}` })

/** Operations: one message in, one message out. */
const ROWS: Row[] = [
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

/** Nodes of another kind: one that holds its messages, one that has no input, one that calls nobody. */
const OTHERS = [...nodes.wait(), ...preview]
const KINDS: DeployType[] = ['nodes', 'flows', 'full']
const IDS = [...ROWS.map(({ id }) => id), 'wait', 'webhook', 'preview']

describe('every node', function () {
  this.timeout(60_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await startNodeRed()
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  /** All nodes on the service; `name` is what the deploy changes about each of them. */
  const everything = (name: string, connection: FlowNode = service.node()) =>
    nodes.flow(
      connection,
      ...[...ROWS.flatMap(({ flow }) => flow), ...OTHERS, ...events()].map((node) =>
        IDS.includes(node.id) ? { ...node, name } : node,
      ),
    )
  const events = () => nodes.webhookIn({ publicUrl: red.nodeUrl('countersign/events') })

  async function aTask(status: 'Pending' | 'Completed') {
    const order = anOrder()
    red.inject('create', order)
    const message = await red.next('create.0', ({ externalDocId }) => externalDocId === order.externalDocId)
    const taskId = message.taskId as number
    await service.reaches(taskId, 'Pending')
    if (status === 'Completed') await service.signs(taskId)
    return { taskId, externalDocId: order.externalDocId }
  }

  async function works({ id, task, message = aboutTask, gives }: Row) {
    const made = task ? await aTask(task) : { taskId: 0, externalDocId: '' }
    const sent = { ...message(made), topic: `${id} by itself` }
    red.inject(id, sent)
    gives(await red.next(`${id}.0`, ({ topic }) => topic === sent.topic), made.taskId)
  }

  /** One call of each node, and what it gives. */
  async function worksEach() {
    await red.statusOf('webhook', 'listening')
    await Promise.all(ROWS.map(works))
    const { taskId } = await aTask('Pending')
    red.inject('wait', { taskId })
    await service.signs(taskId)
    expect(await red.next('wait.0', (message) => message.taskId === taskId)).to.include({ status: 'Completed' })
    await red.next('webhook.0', (message) => message.taskId === taskId && message.status === 'Completed')
    red.inject('preview', anOrder())
    expect((await red.next('preview.0')).fields).to.be.an('array').that.is.not.empty
    expect(red.waiting('caught')).to.deep.equal([])
  }

  describe('works before and after', () => {
    before(async () => {
      await red.deploy(everything('first'))
      await worksEach()
    })

    for (const kind of KINDS) {
      it(`a deploy of kind ${kind} that changes the nodes`, async () => {
        await red.deploy(everything(`changed by ${kind}`), kind)
        await worksEach()
      })

      it(`a deploy of kind ${kind} that changes their service`, async () => {
        await red.deploy(everything(`changed by ${kind}`, service.node({ name: `changed by ${kind}` })), kind)
        await worksEach()
      })
    }

    it('and one subscription is left of all that', async () => {
      expect(await service.client.listSubscriptions()).to.have.length(1)
    })
  })

  const TROUBLE = [
    ['a refused key', 'UNAUTHORIZED', 'key refused', async () => nodes.host(service.baseUrl)],
    ['nobody there', 'ECONNREFUSED', 'unreachable', async () => nodes.host(`http://127.0.0.1:${await freePort()}`)],
  ] as const

  for (const [what, code, text, connection] of TROUBLE) {
    describe(`tells of ${what}`, () => {
      before(async () => red.deploy(everything(what, await connection())))

      for (const { id, message = aboutTask } of ROWS)
        it(`as an error of ${id}`, async () => {
          red.inject(id, message({ taskId: 1, externalDocId: 'ORDER-1' }))
          const { error } = await red.next('caught', (one) => one.error?.source?.id === id)
          expect(error).to.include({ code })
          await red.statusOf(id, text)
        })

      it('as the status of the nodes that try again by themselves', async () => {
        red.inject('wait', { taskId: 1 })
        await red.statusOf('wait', text)
        await red.statusOf('webhook', text)
        expect(red.waiting('wait.0')).to.deep.equal([])
        red.inject('wait', { cancel: true })
        await red.statusOf('wait', 'wait cancelled')
      })
    })
  }

  it('works again when the service is back', async () => {
    await red.deploy(everything('back'))
    await worksEach()
    expect(red.isRunning()).to.equal(true)
  })
})
