/** What the create node keeps of an order, for how long, and what it does when it cannot, in a real Node-RED against the real service. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { aStoppingGateway, type StoppingGateway } from '../support/network/a-stopping-gateway.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, done, flow, wait } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

describe('an accepted order', function () {
  this.timeout(60_000)
  let service: HostedService
  let gateway: StoppingGateway
  let red: NodeRed

  before(async () => {
    service = await hostedService()
    gateway = await aStoppingGateway(service.baseUrl)
    red = await aNodeRed()
  })
  after(async () => {
    await red?.stop()
    await gateway?.stop()
    await service?.stop()
  })

  const nodes = (...more: Parameters<typeof flow>) =>
    flow(
      service.node({ baseUrl: gateway.baseUrl, settle: '1', timeout: '6' }),
      ...(more.length > 0 ? more : createTask()),
      ...wait(),
    )
  const isPost = ({ method }: { method: string }) => method === 'POST'
  const journal = () => join(red.userDir, 'countersign/journal-service.sqlite')

  /** The sizes of what is kept. */
  function kept(): number[] {
    const database = new DatabaseSync(journal(), { readOnly: true })
    const rows = database.prepare("SELECT length(value) AS size FROM entries WHERE key LIKE 'accepted-%'").all()
    database.close()
    return rows.map(({ size }) => Number(size))
  }

  /** Sends an order that has not reached the service yet. */
  async function onItsWay(more: object = {}) {
    const order = { ...anOrder(), ...more }
    const stopped = gateway.stopAt('before', isPost)
    red.inject('create', order)
    await stopped
    return order
  }

  it('is kept sealed, with its document until there is a task, and then until a node waits for it', async () => {
    await red.deploy(nodes())
    const { payload } = await onItsWay({ mrn: 'MRN-4711' })
    expect(kept()).to.have.length(1)
    expect(kept()[0]).to.be.greaterThan(payload.length)
    const written = [journal(), `${journal()}-wal`].map((file) => readFileSync(file, 'latin1')).join('')
    expect(written).to.not.match(/MRN-4711|%PDF|Alma|Jean/)
    gateway.release()
    const { taskId } = await red.next('create.0')
    expect(kept()).to.have.length(1)
    expect(kept()[0]).to.be.lessThan(payload.length)
    red.inject('wait', { taskId })
    await eventually(() => expect(kept()).to.deep.equal([]))
  })

  it('goes on in the new node when a deploy ends it, without a failure', async () => {
    const { externalDocId } = await onItsWay({ mrn: 'MRN-1' })
    await red.deploy(nodes(...createTask({ name: 'changed' })))
    gateway.release()
    expect(await red.next('create.0'))
      .to.include({ externalDocId, mrn: 'MRN-1' })
      .and.not.have.property('payload')
    expect(await service.client.listTasks({ query: { externalDocId } })).to.have.length(1)
    expect(red.waiting('caught')).to.deep.equal([])
  })

  it('goes to Catch nodes with its document when the service refuses it after a crash', async () => {
    const order = await onItsWay({ mrn: 'MRN-2' })
    const { userDir, port } = red
    await red.kill()
    gateway.cut()
    gateway.refuseNext(isPost)
    red = await aNodeRed({ userDir, port })
    const caught = await red.next('caught', () => true, 30_000)
    expect(caught.error).to.include({ code: 'REFUSED' })
    expect(caught).to.include({ externalDocId: order.externalDocId, mrn: 'MRN-2' })
    expect(caught.payload).to.deep.equal(order.payload)
    for (const size of kept()) expect(size, 'no document is left').to.be.lessThan(order.payload.length)
  })

  it('stays when its node is deleted, and goes on when the node is back', async () => {
    await red.deploy(nodes())
    const { externalDocId } = await onItsWay()
    await red.deploy(nodes(...done()))
    gateway.release()
    expect(kept()).to.have.length(1)
    await red.deploy(nodes())
    expect(await red.next('create.0', () => true, 30_000)).to.include({ externalDocId })
  })

  it('that nobody has taken over goes out again after a crash, and not with the deploys that follow', async () => {
    await red.deploy(nodes())
    red.inject('create', anOrder())
    const { taskId } = await red.next('create.0')
    const { userDir, port } = red
    await red.kill()
    red = await aNodeRed({ userDir, port })
    expect(await red.next('create.0')).to.include({ taskId })
    await red.deploy(nodes(...createTask({ name: 'changed again' })))
    await eventually(() => expect(kept()).to.deep.equal([]))
    expect(red.waiting('create.0')).to.deep.equal([])
  })

  it('is sent all the same when there is no room for it, and a warning says so', async () => {
    await red.deploy(nodes(...createTask({ keepLimit: '0.001' })))
    await onItsWay()
    expect(kept()).to.deep.equal([])
    gateway.release()
    await red.next('create.0')
    expect(red.log.join('')).to.contain('The queue is full. The document is being sent')
  })

  it('is not kept where the form says so', async () => {
    await red.deploy(nodes(...createTask({ keep: false })))
    await onItsWay()
    expect(kept()).to.deep.equal([])
    gateway.release()
    await red.next('create.0')
  })

  it('is not sent when the journal cannot be written', async () => {
    await red.deploy(nodes())
    red.inject('create', anOrder())
    await red.next('create.0')
    const database = new DatabaseSync(journal())
    database.exec('ALTER TABLE entries RENAME TO lost')
    const sent = gateway.answered.filter(isPost).length
    red.inject('create', anOrder())
    expect((await red.next('caught')).error).to.include({ code: 'CANNOT_KEEP' })
    expect(gateway.answered.filter(isPost)).to.have.length(sent)
    database.exec('ALTER TABLE lost RENAME TO entries')
    database.close()
    red.inject('create', anOrder())
    await red.next('create.0')
  })
})
