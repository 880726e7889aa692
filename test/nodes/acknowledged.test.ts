/** Outcomes that a wait node sends until they are acknowledged, in a real Node-RED against the real service. */
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, done, download, flow, record, wait } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'

describe('an outcome that is sent until it is acknowledged', function () {
  this.timeout(60_000)
  let service: HostedService
  let red: NodeRed

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  const nodes = (repeat: string) =>
    flow(
      service.node(),
      ...createTask(),
      ...wait({ redelivery: 'acknowledged', repeat }),
      ...download({ deliver: 'file', folder: aFolder(), acknowledge: true }),
      ...record(),
      ...done(),
    )

  /** The id of a task whose outcome was sent for the first time. */
  async function sentOnce() {
    const { taskId } = await aCreatedTask(red, service, 'Completed')
    red.inject('wait', { taskId, mrn: 'MRN-1' })
    expect(await red.next('wait.0')).to.include({ taskId, mrn: 'MRN-1', sentBefore: 0 })
    return taskId
  }

  const ENDS = {
    done: ['done.0', 'acknowledge outcome has seen it'],
    record: ['record.0', 'record outcome has recorded it'],
    download: ['download.0', 'download signed has saved it at the end of a flow'],
  } as const

  for (const [id, [output, what]] of Object.entries(ENDS))
    it(`comes again, whole, until ${what}`, async () => {
      await red.deploy(nodes('0.005'))
      const taskId = await sentOnce()
      await red.statusOf('wait', '1 awaiting ack')
      expect(await red.next('wait.0')).to.include({ taskId, mrn: 'MRN-1', status: 'Completed', sentBefore: 1 })
      red.inject(id, { taskId, savedId: `SAVED-${taskId}` })
      await red.next(output)
      await red.statusOf('wait', 'acknowledged')
    })

  it('comes again at once after a deploy and after a kill, and not when it was acknowledged', async () => {
    await red.deploy(nodes('0'))
    const taskId = await sentOnce()
    await red.deploy(nodes('0'))
    expect(await red.next('wait.0')).to.include({ taskId, mrn: 'MRN-1', sentBefore: 1 })
    const acknowledged = await sentOnce()
    red.inject('done', { taskId: acknowledged })
    await red.next('done.0')
    const { userDir, port } = red
    await red.kill()
    red = await aNodeRed({ userDir, port })
    expect(await red.next('wait.0')).to.include({ taskId, mrn: 'MRN-1', sentBefore: 2 })
    await red.statusOf('wait', '1 awaiting ack')
    expect(red.waiting('wait.0')).to.deep.equal([])
  })
})
