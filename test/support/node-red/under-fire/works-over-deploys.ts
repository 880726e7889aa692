/**
 * Every node over every kind of deploy and over the sudden end of the runtime, in a real Node-RED: it works before and after,
 * whether the node or its service was changed; and every node that calls the service tells a refused key from nobody there.
 */
import { expect } from 'chai'
import { freePort } from '../../network/free-port.ts'
import { aCreatedTask } from '../../service/a-created-task.ts'
import { type HostedService, hostedService } from '../../service/hosted-service.ts'
import { aboutTask, eachWorks, everyNode, OPERATIONS } from '../every-node.ts'
import { host } from '../flow.ts'
import { type DeployType, type FlowNode, type NodeRed, startNodeRed } from '../node-red.ts'

const KINDS: DeployType[] = ['nodes', 'flows', 'full']

const TROUBLE = [
  ['a refused key', 'UNAUTHORIZED', 'key refused', async ({ baseUrl }: HostedService) => host(baseUrl)],
  ['nobody there', 'ECONNREFUSED', 'unreachable', async () => host(`http://127.0.0.1:${await freePort()}`)],
] as const

export interface Roots {
  adminRoot: string
  nodeRoot: string
}

/** Declares the tests with these roots. */
export function worksOverDeploys(roots: Roots) {
  describe(`every node, with admin root ${roots.adminRoot} and node root ${roots.nodeRoot},`, function () {
    this.timeout(60_000)
    let red: NodeRed
    let service: HostedService

    before(async () => {
      service = await hostedService()
      red = await startNodeRed(roots)
    })
    after(async () => {
      await red?.stop()
      await service?.stop()
    })
    const everything = (name: string, connection: FlowNode = service.node()) => everyNode(red, connection, name)

    describe('works before and after', () => {
      before(async () => {
        await red.deploy(everything('first'))
        await eachWorks(red, service)
      })

      for (const kind of KINDS) {
        it(`a deploy of kind ${kind} that changes the nodes`, async () => {
          await red.deploy(everything(`changed by ${kind}`), kind)
          await eachWorks(red, service)
        })

        it(`a deploy of kind ${kind} that changes their service`, async () => {
          await red.deploy(everything(`changed by ${kind}`, service.node({ name: `changed by ${kind}` })), kind)
          await eachWorks(red, service)
        })
      }

      it('the runtime was killed, with what the wait node waited for', async () => {
        const { taskId } = await aCreatedTask(red, service)
        red.inject('wait', { taskId, _msgid: 'from before' })
        await red.statusOf('wait', '1 waiting')
        const { userDir, port } = red
        await red.kill()
        red = await startNodeRed({ ...roots, userDir, port })
        await red.statusOf('wait', '1 waiting')
        await eachWorks(red, service)
        await service.signs(taskId)
        const outcome = { taskId, status: 'Completed', _msgid: 'from before' }
        expect(await red.next('wait.0', (message) => message.taskId === taskId)).to.include(outcome)
        await red.next('webhook.0', (message) => message.taskId === taskId && message.status === 'Completed')
      })

      it('and one subscription is left of all that', async () => {
        expect(await service.client.listSubscriptions()).to.have.length(1)
      })
    })

    for (const [what, code, text, connection] of TROUBLE)
      describe(`tells of ${what}`, () => {
        before(async () => red.deploy(everything(what, await connection(service))))

        for (const { id, message = aboutTask } of OPERATIONS.filter(({ isLocal }) => !isLocal))
          it(`as an error of ${id}`, async () => {
            red.inject(id, message({ taskId: 1, externalDocId: 'ORDER-1' }))
            const { error } = await red.next('caught', (one) => one.error?.source?.id === id)
            expect(error).to.include({ code })
            // What the killed runtime had left may come to its end behind this message, and is what the node shows then.
            await red.hasShown(id, text)
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

    it('works again when the service is back', async () => {
      await red.deploy(everything('back'))
      await eachWorks(red, service)
      expect(red.isRunning()).to.equal(true)
    })
  })
}
