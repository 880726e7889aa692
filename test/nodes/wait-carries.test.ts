/** What the wait node says of properties that do not come back, in a real Node-RED on the embedded service. */
import { expect } from 'chai'
import { createTask, embedded, flow, signer, wait } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { anOrder } from '../support/service/order.ts'

describe('the wait node, started again,', function () {
  this.timeout(60_000)
  let red: NodeRed

  before(async () => {
    red = await startNodeRed()
  })
  after(() => red?.stop())

  /** Kills Node-RED while a message waits, starts it again, and returns the message that comes. */
  async function comesBack(properties: object, more: Record<string, unknown> = {}, settings = {}) {
    await red.deploy(flow(embedded(), ...createTask(), ...wait({ progress: true, ...more }), ...signer()))
    red.inject('create', anOrder())
    const { taskId } = await red.next('create.0')
    red.inject('wait', { taskId, ...properties })
    await red.next('wait.4', ({ status }) => status === 'Pending')
    const { userDir, port } = red
    const logged = red.log.join('')
    await red.kill()
    red = await startNodeRed({ userDir, port, settings })
    red.inject('signer', { taskId })
    return { message: await red.next('wait.0'), taskId, logged }
  }

  it('gives back what there was room for, and has named the rest', async () => {
    const { message, logged } = await comesBack({ mrn: 'MRN-1', hl7: 'x'.repeat(2000) }, { carryLimit: '1' })
    expect(message).to.include({ mrn: 'MRN-1' }).and.not.have.property('hl7')
    expect(logged).to.match(/not carried along over a deploy or a restart: hl7\./)
    expect(logged).to.not.contain('MRN-1')
  })

  it('gives back what was chosen, or only the ids, without a word', async () => {
    const chosen = await comesBack({ mrn: 'MRN-1', hl7: 'MSH' }, { carry: 'chosen', carried: 'mrn, replyTo' })
    expect(chosen.message).to.include({ mrn: 'MRN-1' }).and.not.have.property('hl7')
    const none = await comesBack({ mrn: 'MRN-1' }, { carry: 'none' })
    expect(none.message).to.include({ taskId: none.taskId }).and.not.have.property('mrn')
    expect(chosen.logged + none.logged).to.not.contain('carried along')
  })

  it('gives only the ids, and says why, when the secret has changed', async () => {
    const { message, taskId } = await comesBack({ mrn: 'MRN-1' }, {}, { credentialSecret: 'another' })
    expect(message).to.include({ taskId, status: 'Completed' }).and.not.have.property('mrn')
    expect(red.log.join('')).to.contain(`What was carried along with task ${taskId} cannot be read`)
  })
})
