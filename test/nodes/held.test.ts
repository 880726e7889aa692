/** The node held in a real Node-RED: messages that come over MLLP, are corrected and resent, and survive deploys and kills. */
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { aSender } from '../support/hl7/mllp-peers.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { bridge, corrected, heldAt, unusable } from '../support/node-red/held-bridge.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { heldAtSteps } from '../support/node-red/under-fire/held-at-steps.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'

const CANARIES = ['Rowan', '19520607', 'WC100098', 'JVBERi0', '2185550198']
const REASON = 'TXA-2: the code "UNKNOWN" is not in documentTypes of the map'

describe('the node held', function () {
  this.timeout(60_000)
  let red: NodeRed
  let service: HostedService
  let port: number
  let sender: ReturnType<typeof aSender>
  const said: unknown[] = []
  const nodes = (changes: Record<string, object> = {}) => bridge(service.node(), port, changes)

  before(async () => {
    port = await freePort()
    service = await hostedService()
    red = await aNodeRed()
    await red.deploy(nodes())
    await red.statusOf('in', /^listening/)
    sender = aSender(port)
  })
  after(async () => {
    sender?.close()
    await red?.stop()
    await service?.stop()
  })

  const rows = () => heldAt(red).rows()
  const post: ReturnType<typeof heldAt>['post'] = (...given) => heldAt(red).post(...given)
  /** Resolves with the number under which the message is held. */
  async function held(id: string): Promise<number> {
    expect(await sender.send(unusable(id))).to.include({ code: 'AA' })
    return eventually(async () => (await rows()).find(({ controlId }) => controlId === id)!.heldId)
  }
  const isCreated = (id: string) => red.next('create.0', ({ externalDocId }) => externalDocId === `EPIC|${id}`, 30_000)
  const isEmpty = () => eventually(async () => expect(await rows()).to.deep.equal([]))
  async function refusal(message: object) {
    red.inject('held', message)
    const { error, errors } = await red.next('caught')
    said.push(error, errors)
    return { code: error?.code, errors }
  }

  it('keeps a message, and lists it with its reasons and without its contents', async () => {
    const heldId = await held('LIST-1')
    said.push(await red.statusOf('held', '1 held'))
    red.inject('held', { action: 'list', topic: 'kept' })
    const { payload, topic } = await red.next('held.1')
    const [row] = payload as object[]
    expect(topic).to.equal('kept')
    expect(row).to.deep.include({ heldId, reasons: [REASON], controlId: 'LIST-1', messageType: 'MDM^T02' })
    expect(await rows()).to.deep.equal(payload)
    said.push(payload)
  })

  it('resends a message as it was corrected, and forgets it once there is a task', async () => {
    const { heldId } = (await rows())[0]!
    red.inject('held', { action: 'edit', heldId, payload: corrected(String(unusable('LIST-1'))) })
    red.inject('held', { action: 'resend', heldId })
    const { intake, held: reasons } = await red.next('held.0')
    expect([typeof intake, reasons]).to.deep.equal(['string', undefined])
    await isCreated('LIST-1')
    await isEmpty()
    await red.statusOf('held', '')
  })

  it('lists a message that is held again with its new reasons, once', async () => {
    const heldId = await held('AGAIN-1')
    const text = (await heldAt(red).text(heldId)).replace('UNKNOWN', 'OTHER')
    await post(heldId, 'edit', { text })
    await post(heldId, 'resend')
    await red.next('held.0')
    await eventually(async () => expect((await rows())[0]?.reasons.join()).to.contain('"OTHER"'))
    expect(await rows()).to.have.length(1)
    expect(await post(heldId, 'discard')).to.deep.equal({ status: 200 })
    await isEmpty()
  })

  it('keeps what it holds, and sends nothing again, over deploys of all kinds', async () => {
    const heldId = await held('DEPLOY-1')
    for (const type of ['nodes', 'flows', 'full'] as const) {
      await red.deploy(nodes({ held: { name: `changed for ${type}` } }), type)
      await red.statusOf('held', '1 held')
    }
    await red.deploy(nodes({ order: { d: true }, held: { name: 'before it is disabled' } }))
    await post(heldId, 'resend')
    await red.next('held.0')
    await red.deploy(nodes({ held: { d: true } }))
    await red.deploy(nodes())
    await red.statusOf('held', '1 held')
    expect((await rows())[0])
      .to.include({ heldId })
      .and.have.property('resentAt')
      .that.is.a('string')
    expect(red.waiting('held.0')).to.deep.equal([])
    await post(heldId, 'discard')
  })

  it('takes no more messages over than its form allows, and warns of those that it holds for too long', async () => {
    await red.deploy(nodes({ held: { maxMessages: '1', maxDays: '0.000000001' } }))
    await red.statusOf('in', /^listening/)
    await held('FULL-1')
    red.inject('held', { held: ['a reason'], payload: 'Rowan' })
    const { error, errors } = await red.next('caught')
    said.push(error, errors, await red.statusOf('held', /full/))
    expect(error).to.include({ code: 'HELD_FULL' })
    await red.deploy(nodes({ held: { maxMessages: '5', maxDays: '0.000000001' } }))
    said.push(await red.statusOf('held', '1 overdue'))
    await eventually(() => expect(red.log.join('')).to.match(/held for more than \S+ days: 1/))
    const { heldId } = (await rows())[0]!
    await post(heldId, 'discard')
    await red.deploy(nodes())
    await red.statusOf('in', /^listening/)
  })

  it('says what a message asks for in vain', async () => {
    expect(await refusal({ payload: 'Rowan', action: 'resned' })).to.deep.equal({
      code: 'INVALID_INPUT',
      errors: ['held: the list of reasons; or action: one of list, resend, edit, discard'],
    })
    expect(await refusal({ action: 'edit', heldId: '1' })).to.deep.include({
      errors: ['heldId: the number of a held message, as the list gives it', 'payload: the corrected message'],
    })
    expect(await refusal({ action: 'discard', heldId: 4711 })).to.include({ code: 'NOT_HELD' })
  })

  it('does for the sidebar what JSON asks for, and says why it does not', async () => {
    const heldId = await held('ROUTES-1')
    const plain = await fetch(red.adminUrl(`countersign/held/held/${heldId}/discard`), { method: 'POST', body: '{}' })
    expect(plain.status).to.equal(400)
    expect(await post(heldId, 'edit', { text: 7 })).to.include({ status: 400, error: 'INVALID_INPUT' })
    expect(await post(heldId, 'edit', { text: '⟦9: 9⟧' })).to.include({ status: 400 })
    expect(await post(4711, 'resend')).to.include({ status: 409, error: 'NOT_HELD' })
    const elsewhere = await fetch(red.adminUrl(`countersign/held/nobody/${heldId}/text`))
    expect([elsewhere.status, elsewhere.headers.get('cache-control')]).to.deep.equal([409, 'no-store'])
    expect(await elsewhere.json()).to.include({ error: 'NOT_DEPLOYED' })
    await post(heldId, 'discard')
    await isEmpty()
  })

  it('loses no message and makes no second task of one when Node-RED is killed before it is corrected, and once it is resent', async () => {
    red = await heldAtSteps(['held', 'resent'], { red, service, port }, 'KILLED-1')
  })

  it('names no patient and no document in lists, statuses, errors and logs', () => {
    const everything = JSON.stringify([said, red.log])
    for (const canary of CANARIES) expect(everything).to.not.contain(canary)
  })
})
