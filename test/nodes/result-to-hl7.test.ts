/** Results in HL7 v2, in a real Node-RED and without any service. */
import { expect } from 'chai'
import { parseMessage } from '../../lib/hl7/parse-message.ts'
import { valueAt } from '../../lib/hl7/value-at.ts'
import { anOrder } from '../support/hl7/an-order.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, orderFromHl7, resultToHl7 } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

const CANARIES = ['Rowan', '19520607', 'WC100098', '2185550198', 'DOC-000123']
const map = { documentTypes: { CMS485: { documentTypeId: 101 } }, organizations: { LAKE: '9999901017' } }

describe('the node result to HL7', function () {
  this.timeout(30_000)
  let red: NodeRed
  let origin: unknown

  before(async () => {
    red = await aNodeRed()
    await red.deploy(
      flow(
        ...orderFromHl7(map, 'order'),
        ...resultToHl7(),
        ...resultToHl7({ event: 'T04', sendingFacility: ' WEST ', receivingApplication: '' }, 'same'),
      ),
    )
    red.inject('order', { payload: Buffer.from(anOrder()) })
    origin = (await red.next('order.0')).origin
  })
  after(() => red?.stop())

  const outcome = {
    taskId: 7,
    status: 'Completed',
    statusReason: null,
    topic: 'kept',
    payload: Buffer.from('%PDF-1.7'),
  }

  it('makes the message for “mllp out” of what “order from HL7” has left', async () => {
    red.inject('result-to-hl7', { ...outcome, origin })
    const { payload, ...others } = await red.next('result-to-hl7.0')
    expect(others).to.include({ topic: 'kept', controlId: '7-T02', messageType: 'MDM^T02', savedId: '7-7' })
    const read = parseMessage(payload as Buffer)
    expect(['PID-3', 'TXA-13', 'TXA-17'].map((place) => valueAt(read, place))).to.deep.equal([
      'WC100098',
      'DOC-000123',
      'LA',
    ])
  })

  it('makes it as its form says', async () => {
    red.inject('same', { ...outcome, origin })
    const { payload, ...others } = await red.next('same.0')
    expect(others).to.include({ messageType: 'MDM^T04', savedId: '7-DOC-000123' })
    const read = parseMessage(payload as Buffer)
    expect(['MSH-3', 'MSH-4', 'MSH-5'].map((place) => valueAt(read, place))).to.deep.equal(['CS', 'WEST', 'EPIC'])
  })

  it('says what is missing, and names no patient and no document', async () => {
    red.inject('same', { payload: outcome.payload })
    red.inject('same', { ...outcome, origin, payload: 'Rowan' })
    const caught = [await red.next('caught'), await red.next('caught')]
    expect(caught.map(({ errors }) => errors)).to.deep.equal([
      [
        'taskId: required; that of the task',
        'status: required; that of the task',
        'origin: required; what “order from HL7” has set',
      ],
      ['payload: required; the signed PDF, as a Buffer'],
    ])
    const statuses = await red.statusOf('same', /./)
    const said = JSON.stringify([statuses, caught.map(({ error, errors }) => ({ error, errors })), red.log])
    for (const canary of CANARIES) expect(said).to.not.contain(canary)
  })
})
