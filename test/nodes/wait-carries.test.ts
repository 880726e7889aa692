/** What the wait node says of properties that do not come back, in a real Node-RED on the embedded service. */
import { expect } from 'chai'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, embedded, flow, signer, wait } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { anOrder } from '../support/service/order.ts'

describe('the wait node, started again,', function () {
  this.timeout(60_000)
  let red: NodeRed

  before(async () => {
    red = await aNodeRed()
  })
  after(() => red?.stop())

  /** Kills Node-RED while messages wait at nodes with these settings, starts it again, and returns the messages that come. */
  async function comeBack(waits: { properties: object; waiting?: Record<string, unknown> }[], settings = {}) {
    const nodes = waits.map(({ waiting }, n) => wait({ progress: true, ...waiting }, `wait${n}`))
    await red.deploy(flow(embedded(), ...createTask(), ...nodes.flat(), ...signer()))
    const taskIds: unknown[] = []
    for (const [n, { properties }] of waits.entries()) {
      red.inject('create', anOrder())
      const { taskId } = await red.next('create.0')
      red.inject(`wait${n}`, { taskId, ...properties })
      await red.next(`wait${n}.4`, ({ status }) => status === 'Pending')
      taskIds.push(taskId)
    }
    const { userDir, port } = red
    const logged = red.log.join('')
    await red.kill()
    red = await startNodeRed({ userDir, port, settings })
    for (const taskId of taskIds) red.inject('signer', { taskId })
    const messages = await Promise.all(waits.map((_, n) => red.next(`wait${n}.0`)))
    return { messages, taskIds, logged }
  }

  it('gives back what was chosen, what there was room for, or only the ids, and names what there was no room for', async () => {
    const { messages, taskIds, logged } = await comeBack([
      { properties: { mrn: 'MRN-1', hl7: 'x'.repeat(2000) }, waiting: { carryLimit: '1' } },
      { properties: { mrn: 'MRN-1', hl7: 'MSH' }, waiting: { carry: 'chosen', carried: 'mrn, replyTo' } },
      { properties: { mrn: 'MRN-1' }, waiting: { carry: 'none' } },
    ])
    const [limited, chosen, none] = messages
    expect(limited).to.include({ mrn: 'MRN-1' }).and.not.have.property('hl7')
    expect(chosen).to.include({ mrn: 'MRN-1' }).and.not.have.property('hl7')
    expect(none).to.include({ taskId: taskIds[2] }).and.not.have.property('mrn')
    // What was chosen needs no word.
    expect(logged.match(/not kept over a deploy or a restart: .*/g)).to.have.length(1)
    expect(logged)
      .to.match(/not kept over a deploy or a restart: hl7\./)
      .and.not.contain('MRN-1')
  })

  it('gives only the ids, and says why, when the secret has changed', async () => {
    const { messages, taskIds } = await comeBack([{ properties: { mrn: 'MRN-1' } }], { credentialSecret: 'another' })
    expect(messages[0]).to.include({ taskId: taskIds[0], status: 'Completed' }).and.not.have.property('mrn')
    expect(red.log.join('')).to.contain(`The properties kept with task ${taskIds[0]} cannot be read`)
  })
})
