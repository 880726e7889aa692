/** Orders in HL7 v2, in a real Node-RED and without any service. */
import { expect } from 'chai'
import { anOrder, mdm } from '../support/hl7/an-order.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, orderFromHl7 } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

const CANARIES = ['Rowan', '19520607', 'WC100098', 'JVBERi0', '2185550198', 'DOC-000123']
const map = { documentTypes: { CMS485: { documentTypeId: 101 } }, organizations: { LAKE: '9999901017' } }
const withdrawn = { MSH: String(mdm.MSH).replace('T02^MDM_T02', 'T11') }

describe('the node order from HL7', function () {
  this.timeout(30_000)
  let red: NodeRed

  before(async () => {
    red = await aNodeRed()
    await red.deploy(flow(...orderFromHl7(map, 'order'), ...orderFromHl7({ ssn: 'all', pdfs: 'first' }, 'wrong')))
  })
  after(() => red?.stop())

  const given = (id: string, payload: unknown) => red.inject(id, { payload, topic: 'kept' })

  it('makes the body of “create task”, and keeps the rest of the message', async () => {
    given('order', Buffer.from(anOrder()))
    const message = await red.next('order.0')
    expect(message).to.include({ topic: 'kept', externalDocId: 'EPIC|DOC-000123', action: 'create' })
    expect(message.warnings).to.deep.equal([])
    expect(message.payload).to.have.keys('patient', 'performers', 'document')
  })

  it('reads text as it was decoded, whatever character set it names', async () => {
    const named = { MSH: `${mdm.MSH}||||||8859/1`, PID: String(mdm.PID).replace('Rowan', 'Ångström') }
    given('order', Buffer.from(anOrder(named)).toString())
    const { payload } = await red.next('order.0')
    expect(JSON.stringify(payload)).to.contain('"family":"Ångström"')
  })

  it('sends the end of a document to the second output', async () => {
    given('order', Buffer.from(anOrder(withdrawn)))
    expect(await red.next('order.1')).to.include({ externalDocId: 'EPIC|DOC-000123', action: 'retract' })
  })

  it('sends what cannot be used to the third output, as it came', async () => {
    const text = Buffer.from(anOrder({ PID: null })).toString()
    given('order', text)
    const { held, payload } = await red.next('order.2')
    expect({ held, payload }).to.deep.equal({ held: ['PID: no patient'], payload: text })
    await red.statusOf('order', /held/)
  })

  it('says what is wrong with its map, or with the payload', async () => {
    given('wrong', Buffer.from(anOrder()))
    const { error, errors } = await red.next('caught')
    expect(error?.code).to.equal('INVALID_SETTINGS')
    expect(errors).to.deep.equal(['ssn: one of never, last4, full', 'pdfs: there is no such setting'])
    given('order', 7)
    expect((await red.next('caught')).error).to.include({ code: 'INVALID_INPUT' })
  })

  it('names no patient and no document in statuses, errors and logs', async () => {
    given('order', Buffer.from(anOrder({ PV1: null, TXA: String(mdm.TXA).replace('9999900019', 'Rowan') })))
    given('order', { patient: 'Rowan' })
    given('wrong', anOrder())
    const { held } = await red.next('order.2')
    const caught = [await red.next('caught'), await red.next('caught')].map(({ error, errors }) => ({ error, errors }))
    const statuses = await Promise.all(['order', 'wrong'].map((id) => red.statusOf(id, /./)))
    const said = JSON.stringify([statuses, held, caught, red.log])
    for (const canary of CANARIES) expect(said).to.not.contain(canary)
  })
})
