/** Messages over HTTP into a real Node-RED: what is answered, what goes into the flow, and what a kill leaves. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { anOrder } from '../support/hl7/an-order.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { accept, done, embedded, flow, orderFromHl7 } from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'

const MAP = { documentTypes: { CMS485: { documentTypeId: 104 } } }

/** `http in`, the order of the message, its acceptance, the answer. */
function nodes(more: Record<string, unknown> = {}): FlowNode[] {
  const inputs = ['post', 'put'].map((method) => ({
    ...{ id: method, type: 'http in', url: '/documents', method, wires: [['order-from-hl7']] },
  }))
  const [order] = orderFromHl7(MAP)
  const mapped = { ...order!, wires: [['accept'], ['accept'], ['accept']] }
  const accepted = accept(more).map((node) =>
    node.id === 'accept' ? { ...node, wires: [['accept.0'], ['accept.1', 'answer']] } : node,
  )
  const answer = { id: 'answer', type: 'http response', wires: [] }
  return flow(embedded(), ...inputs, mapped, ...accepted, answer, ...done())
}

describe('accept message', function () {
  this.timeout(60_000)
  let red: NodeRed

  before(async () => {
    red = await aNodeRed()
    await red.deploy(nodes())
    await red.statusOf('accept', '0 received')
  })
  after(() => red?.stop())
  afterEach(() => ['accept.0', 'accept.1'].forEach((id) => void red.take(id)))

  const send = async (method: 'POST' | 'PUT', message: Uint8Array, query: string) => {
    const response = await fetch(red.nodeUrl(`documents${query}`), {
      method,
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(message),
    })
    return { status: response.status, retryAfter: response.headers.get('retry-after'), said: await response.json() }
  }
  const post = (message: Uint8Array, query = '') => send('POST', message, query)
  const order = (id: string) =>
    anOrder({ TXA: `TXA|1|CMS485|AP|20260115||||||9999900019^Marsh^Helen^^^^^^NPI^L^^^NPI||${id}^EPIC` })

  it('answers 202 when the message is stored, and gives it to the flow', async () => {
    expect(await post(order('A1'))).to.deep.equal({ status: 202, retryAfter: null, said: { accepted: true } })
    const message = await red.next('accept.0')
    expect(message).to.include({ externalDocId: 'EPIC|A1', action: 'create' })
    expect(message.intake).to.be.a('string')
    expect(message).to.not.have.any.keys('req', 'res')
  })

  it('answers 200 to the same message, which does not go into the flow again', async () => {
    expect((await post(order('A2'))).status).to.equal(202)
    expect(await post(order('A2'))).to.deep.include({ status: 200, said: { accepted: true, duplicate: true } })
    expect((await post(order('A3'))).status).to.equal(202)
    const ids = [await red.next('accept.0'), await red.next('accept.0')].map(({ externalDocId }) => externalDocId)
    expect(ids).to.deep.equal(['EPIC|A2', 'EPIC|A3'])
  })

  it('takes the same body with another method, or at another address, for another message', async () => {
    const same = order('A5')
    const put = async () => (await send('PUT', same, '?order=1')).status
    expect([await put(), await put()]).to.deep.equal([202, 200])
    expect([(await post(same, '?order=1')).status, (await post(same, '?order=2')).status]).to.deep.equal([202, 202])
    expect((await post(same, '?order=1')).status).to.equal(200)
  })

  it('answers 200 to what is held, with the reasons, and 422 where the sender asks for it', async () => {
    const unknown = anOrder({ TXA: 'TXA|1|OTHER|AP|20260115||||||9999900019^Marsh^Helen^^^^^^NPI^L^^^NPI||A4^EPIC' })
    const reasons = ['TXA-2: the code "OTHER" is not in documentTypes of the map']
    const said = { accepted: false, held: true, reasons }
    expect(await post(unknown)).to.deep.include({ status: 200, said })
    expect(await post(unknown, '?strict=1')).to.deep.include({ status: 422, said })
    expect(red.waiting('accept.0')).to.deep.equal([])
  })

  it('keeps what nobody has taken sealed over a kill, and nothing that was dealt with', async () => {
    for (const id of ['K1', 'K2']) expect((await post(order(id))).status).to.equal(202)
    const { intake } = await red.next('accept.0', ({ externalDocId }) => externalDocId === 'EPIC|K2')
    red.inject('done', { intake })
    await red.next('done.0')
    const file = join(red.userDir, 'countersign/intake-accept.sqlite')
    expect([file, `${file}-wal`].map((name) => readFileSync(name, 'latin1')).join('')).to.not.match(/Rowan|WC100098/)
    await red.kill()
    red = await aNodeRed({ userDir: red.userDir, port: red.port })
    await red.statusOf('accept', '0 received')
    expect((await post(order('K3'))).status).to.equal(202)
    const again: unknown[] = []
    while (!again.includes('EPIC|K3')) again.push((await red.next('accept.0')).externalDocId)
    expect(again).to.include('EPIC|K1').and.not.include('EPIC|K2')
  })

  it('answers 503 when no more is kept, so that the sender sends again', async () => {
    await red.deploy(nodes({ keepLimit: '0' }))
    const busy = { status: 503, retryAfter: '30', said: { accepted: false, errors: ['JOURNAL_FULL'] } }
    expect(await post(order('F1'))).to.deep.equal(busy)
    await red.statusOf('accept', 'journal full')
  })
})
