/** What the nodes between a hospital and the service say when they fail: nothing of a patient, a document or a secret. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { serveMllp } from '../../lib/hl7/mllp/serve.ts'
import { searched } from '../support/canary.ts'
import { aFhirServer, type TestFhirServer } from '../support/fhir/a-fhir-server.ts'
import { aPlantedDocument, aPlantedOrder, PLANTED } from '../support/hl7/a-canary.ts'
import { mdm } from '../support/hl7/an-order.ts'
import { aSender, idOf } from '../support/hl7/mllp-peers.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import {
  accept,
  fhirBase,
  flow,
  held,
  mllpIn,
  mllpOut,
  orderFromFhir,
  orderFromHl7,
  resultToFhir,
  resultToHl7,
} from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'

const MAP = { documentTypes: { CMS485: { documentTypeId: 101 } } }
const { family, given, mrn, password } = PLANTED
const THEIR_WORDS = `${given} ${family}, ${mrn}`
const SIGNED = Buffer.from(`%PDF-1.7 ${THEIR_WORDS}`)

describe('the nodes of the bridge', function () {
  this.timeout(60_000)
  let red: NodeRed
  let fhir: TestFhirServer
  let receiver: Awaited<ReturnType<typeof serveMllp>>
  let port: number
  let nodes: FlowNode[]
  const said: unknown[] = []

  before(async () => {
    // Servers that throw back what they were sent, with words of their own about it.
    const refuses = { status: 422, body: { issue: [{ code: 'invalid', diagnostics: THEIR_WORDS }] } }
    fhir = await aFhirServer({
      answers: {
        'GET /Patient/p1': { status: 500, headers: { 'x-echo': family }, body: THEIR_WORDS },
        'POST /DocumentReference': refuses,
      },
    })
    receiver = await serveMllp({
      port: 0,
      host: '127.0.0.1',
      onFrame: async (frame) => {
        if (frame.kind !== 'message') return []
        const refusal = `MSA|AR|${idOf(frame.bytes)}|${THEIR_WORDS}\rERR|||207|E||||${THEIR_WORDS}\r`
        return [frame.bytes, Buffer.from(`MSH|^~\\&|||||20260115||ACK|A1|P|2.5.1\r${refusal}`)]
      },
    })
    port = await freePort()
    nodes = [
      fhirBase(fhir.baseUrl, { authorization: 'bearer', credentials: { bearerToken: password } }),
      fhirBase(`http://bridge:${password}@ehr.example/fhir`, { id: 'no-url' }),
      fhirBase(fhir.baseUrl, { id: 'no-key', authorization: 'backend', credentials: { privateKey: password } }),
      ...flow(
        ...mllpIn(port),
        ...mllpOut(receiver.port, { tries: '1', timeout: '5' }),
        ...orderFromHl7(MAP),
        ...orderFromFhir(MAP),
        ...resultToHl7(),
        ...resultToFhir(),
        ...held({ maxMessages: '1' }),
        ...accept({ keepLimit: '0' }),
      ),
    ]
    red = await aNodeRed()
    await red.deploy(nodes)
    await red.statusOf('in', /^listening/)
  })
  after(async () => {
    await red?.stop()
    await receiver?.stop(100)
    fhir?.stop()
  })

  /** Injects each payload, and keeps what the flow catches of it. */
  async function fails(id: string, ...messages: object[]): Promise<void> {
    for (const message of messages) {
      red.inject(id, message)
      const { error, errors } = await red.next('caught')
      said.push({ id, error, errors })
    }
  }
  async function shows(id: string): Promise<void> {
    said.push(await red.statusOf(id, /./))
  }

  it('are all here', () => {
    const files = readdirSync(join(import.meta.dirname, '../../nodes')).filter((name) => name.endsWith('.ts'))
    const bridge = files.map((name) => name.slice(0, -3)).filter((name) => /hl7|fhir|mllp|held|accept/.test(name))
    const types = new Set(nodes.map(({ type }) => type.replace('countersign-', '')))
    expect([...types]).to.include.members(bridge)
    expect(bridge).to.have.length(9)
  })

  it('fail at what is planted in messages of HL7 v2', async () => {
    const origin = { segments: [THEIR_WORDS], [family]: mrn }
    await fails('order-from-hl7', { payload: { patient: family } })
    red.inject('order-from-hl7', { payload: aPlantedOrder({ PV1: null, TXA: `TXA|1|CMS485|AP|${family}|||||${mrn}` }) })
    said.push((await red.next('order-from-hl7.2')).held)
    const outcome = { taskId: 7, status: 'Completed', payload: SIGNED }
    await fails('result-to-hl7', { ...outcome, origin }, { ...outcome, status: family, payload: family })
    for (const id of ['order-from-hl7', 'result-to-hl7']) await shows(id)
  })

  it('fail at what is planted in resources of FHIR, and in what a FHIR server says', async () => {
    await fails('order-from-fhir', { payload: aPlantedDocument() })
    for (const payload of [{ ...aPlantedDocument(), date: family, subject: { display: family } }, `{"${family}": `]) {
      red.inject('order-from-fhir', { payload })
      said.push((await red.next('order-from-fhir.2')).held)
    }
    const outcome = { taskId: 7, status: 'Completed', payload: SIGNED, origin: originInFhir }
    await fails('result-to-fhir', outcome, { ...outcome, origin: { subject: THEIR_WORDS } })
    for (const id of ['order-from-fhir', 'result-to-fhir']) await shows(id)
    const asked = fhir.asked.map(({ method, path, authorization }) => [method, path, authorization])
    for (const call of ['GET /fhir/Patient/p1', 'POST /fhir/DocumentReference'])
      expect(asked).to.deep.include([...call.split(' '), `Bearer ${password}`])
  })

  it('fail at what is planted in frames, and in what a receiver answers', async () => {
    const sender = aSender(port)
    for (const frame of [
      Buffer.from(THEIR_WORDS),
      aPlantedOrder({ MSH: String(mdm.MSH).replace('|2.5.1', '|3.0') }),
      Buffer.concat([aPlantedOrder(), Buffer.from(`${THEIR_WORDS}\r`)]),
    ])
      said.push(await sender.send(frame))
    sender.close()
    await fails(
      'out',
      { payload: THEIR_WORDS },
      { payload: aPlantedOrder({ MSH: 'MSH|^~\\&|||||||MDM^T02||P|2.5.1' }) },
    )
    red.inject('out', { payload: aPlantedOrder() })
    expect(await red.next('out.1')).to.include({ reasonCode: 'REJECTED' })
    for (const id of ['in', 'out']) await shows(id)
  })

  it('fail at what is planted in messages that they have no room for, or know nothing of', async () => {
    const message = { held: ['a reason'], payload: aPlantedOrder(), [family]: mrn }
    red.inject('held', message)
    await shows('held')
    await fails(
      'held',
      message,
      { action: family },
      { action: 'edit', heldId: family },
      { action: 'discard', heldId: 99 },
    )
    red.inject('accept', { payload: aPlantedOrder() })
    expect(await red.next('accept.1')).to.include({ statusCode: 503 })
    for (const id of ['held', 'accept']) await shows(id)
  })

  it('have said nothing of it in statuses, errors, answers and logs', () => {
    const isIn = searched(JSON.stringify(said) + red.log.join(''))
    expect(red.log.join('')).to.contain('must be an https URL')
    const found = Object.entries(PLANTED).filter(([, value]) => isIn(value))
    expect(found.map(([name]) => name)).to.deep.equal([])
  })
})

const originInFhir = {
  document: { reference: 'DocumentReference/doc1' },
  subject: { reference: 'Patient/p1', display: THEIR_WORDS },
}
