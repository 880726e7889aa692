/**
 * A delegate signs on day 1 while Node-RED is off, and reconcile finds the signature on day 4: what an EHR gets names the delegate and
 * day 1. A document of which one byte was changed goes nowhere.
 */
import { expect } from 'chai'
import { parseMessage } from '../../lib/hl7/parse-message.ts'
import { valueAt } from '../../lib/hl7/value-at.ts'
import { mapFhirAt } from '../../lib/mapping/map-fhir-at.ts'
import { readMapFile } from '../../lib/mapping/map-file.ts'
import { mapHl7WithOrigin } from '../../lib/mapping/map-hl7.ts'
import type { Opened } from '../../server/operations/signer/messages.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { wrongInR4 } from '../support/fhir/valid-r4.ts'
import { aBundle, document, patient, practitioner } from '../support/hl7/a-bundle.ts'
import { anOrder } from '../support/hl7/an-order.ts'
import { aReceiver } from '../support/hl7/mllp-peers.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import {
  checkSigned,
  download,
  flow,
  host,
  mllpOut,
  reconcile,
  resultToFhir,
  resultToHl7,
} from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { orderPdf } from '../support/service/order.ts'

const VOSS = '9999900018'
const CALDER = SIGNER.calder
const DAY_S = 86_400
const map = readMapFile({ documentTypes: { CMS485: { documentTypeId: 101 }, '52030-8': { documentTypeId: 101 } } })

describe('a document that a delegate signed while Node-RED was off', function () {
  this.timeout(120_000)
  let service: TestService
  let red: NodeRed
  let port: number
  let receiver: Awaited<ReturnType<typeof aReceiver>>
  let taskId: number
  /** When the delegate signed, by the clock of the service. */
  let from: string
  let to: string
  let found: Record<string, unknown>

  const clock = async () => (await service.ask<{ now: string }>('GET', '/sandbox/v1/clock')).body.now
  const dayOf = (hl7: string) => `${hl7.slice(0, 4)}-${hl7.slice(4, 6)}-${hl7.slice(6, 8)}`

  before(async () => {
    service = await aService()
    port = await freePort()
    receiver = await aReceiver(port, ['AA'], (message) => Buffer.from(message).toString())
    taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    from = await clock()
    await delegateSigns()
    to = await clock()
    const { status } = await service.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds: 3 * DAY_S } })
    expect(status).to.equal(202)
    red = await aNodeRed()
    await red.deploy(nodes())
  })
  after(async () => {
    await red?.stop()
    await receiver?.stop()
    await service?.stop()
  })

  /** Calder lets Voss sign, and Voss does. */
  async function delegateSigns() {
    const [calder, voss, operator] = [aVisit(service.baseUrl), aVisit(service.baseUrl), aVisit(service.baseUrl)]
    await calder.signInAs('Ruth Calder DO')
    await voss.signInAs('Ian Voss MD')
    await operator.signInAs('Service operator')
    type Provider = { npi: string; organizations: { id: number }[] }
    const { body } = await operator.ask<Provider[]>('GET', '/admin/v1/providers')
    const placesOf = (npi: string) => body.find((one) => one.npi === npi)!.organizations.map(({ id }) => id)
    const [place = 0] = placesOf(CALDER)
    await operator.ask('PATCH', `/admin/v1/providers/${VOSS}`, { organizationIds: [...placesOf(VOSS), place] })
    await operator.ask('PATCH', `/admin/v1/organizations/${place}`, { allowsDelegation: true })
    const given = await calder.ask('POST', '/inbox/api/delegations', {
      delegateNpi: VOSS,
      organizationId: place,
      startsAt: from,
      endsAt: new Date(Date.parse(from) + DAY_S * 1000).toISOString(),
    })
    expect(given.status).to.equal(201)
    const path = `/inbox/api/documents/${taskId}`
    const { sha256 } = (await voss.ask<Opened>('GET', path)).body
    const signed = await voss.ask('POST', `${path}/sign`, {
      sha256,
      values: {},
      drawn: null,
      timeZone: 'UTC',
      keep: false,
    })
    expect([signed.status, signed.errors]).to.deep.equal([204, []])
    await service.reaches(taskId, 'Completed')
  }

  const wiresOf = (node: FlowNode) => node.wires as string[][]
  const to1 = ([node, ...probes]: FlowNode[], first: string): FlowNode[] => [
    { ...node!, wires: [[first, ...(wiresOf(node!)[0] ?? [])], ...wiresOf(node!).slice(1)] },
    ...probes,
  ]
  const nodes = () =>
    flow(
      host(service.baseUrl, {
        credentials: { apiKey: service.key },
        timeout: '30',
        sealCertificates: service.service.sealCertificates,
      }),
      ...to1(reconcile(), 'download'),
      ...to1(download(), 'check-signed'),
      ...to1(checkSigned(), 'result-to-hl7'),
      ...to1(resultToHl7(), 'out'),
      ...mllpOut(port, { timeout: '5', tries: '2' }),
      ...resultToFhir({ deliver: 'payload', provenance: true }),
    )

  it('is filed as signed by the delegate on day 1, by way of HL7 v2', async () => {
    const { origin } = mapHl7WithOrigin(anOrder(), map)
    red.inject('reconcile', { origin })
    expect(await red.next('out.0')).to.include({ accepted: true, taskId })
    found = await red.next('check-signed.0')
    expect(found.signature).to.deep.include({
      verdict: 'valid',
      signer: { name: 'Ian Voss MD', npi: VOSS },
      onBehalfOf: { name: 'Ruth Calder DO', npi: CALDER },
      isTest: true,
    })
    const { signedAt } = found.signature as { signedAt: string }
    expect(Date.parse(signedAt)).to.be.within(Math.floor(Date.parse(from) / 1000) * 1000, Date.parse(to))
    const read = parseMessage(Buffer.from(receiver.received[0]!))
    const day = from.slice(0, 10)
    expect([valueAt(read, 'TXA-22'), valueAt(read, 'TXA-22.2')]).to.deep.equal([VOSS, 'Ian Voss MD'])
    for (const place of ['TXA-22.15', 'OBX-14'])
      expect([day, to.slice(0, 10)], place).to.include(dayOf(valueAt(read, place)))
    expect(valueAt(read, 'TXA-17')).to.equal('LA')
  })

  it('is filed so by way of FHIR, with a Provenance', async () => {
    const { origin } = await mapFhirAt(aBundle(document, patient, practitioner), map, async () => null)
    red.inject('result-to-fhir', { ...found, origin })
    const { payload } = await red.next('result-to-fhir.0')
    const { entry } = payload as { entry: { resource: Record<string, unknown> }[] }
    const [provenance, reference] = entry.map(({ resource }) => resource)
    const { signedAt } = found.signature as { signedAt: string }
    const who = {
      type: 'Practitioner',
      identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: VOSS },
      display: 'Ian Voss MD',
    }
    const onBehalfOf = {
      type: 'Practitioner',
      identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: CALDER },
      display: 'Ruth Calder DO',
    }
    expect(reference).to.deep.include({ authenticator: who, date: signedAt })
    expect((provenance!.agent as object[])[0]).to.deep.include({ who, onBehalfOf })
    expect((provenance!.signature as object[])[0]).to.deep.include({ who, onBehalfOf, when: signedAt })
    expect(wrongInR4(payload as object)).to.deep.equal([])
  })

  it('goes nowhere when any one byte of it was changed', async () => {
    const { origin } = mapHl7WithOrigin(anOrder(), map)
    const pdf = Buffer.from(found.payload as Uint8Array)
    const before = receiver.received.length
    // In the header, the pages, the seal, and the end.
    const places = [
      8,
      400,
      Math.floor(pdf.length / 2),
      pdf.lastIndexOf('/ByteRange') + 15,
      pdf.lastIndexOf('/Contents') + 40,
    ]
    for (const at of [...places, pdf.lastIndexOf('startxref') + 12]) {
      const changed = Buffer.from(pdf)
      changed[at]! ^= 1
      red.inject('check-signed', { ...found, origin, payload: changed })
      expect((await red.next('check-signed.2')).signature, String(at)).to.include({
        verdict: 'changed',
        signedAt: null,
      })
    }
    red.inject('check-signed', { ...found, origin, payload: orderPdf() })
    await red.next('check-signed.1')
    expect(receiver.received).to.have.length(before)
    // A flow without the check does not file it either.
    const changed = { ...(found.signature as object), verdict: 'changed', signer: null, signedAt: null }
    red.inject('result-to-hl7', { ...found, origin, signature: changed })
    expect((await red.next('caught')).errors).to.have.length(1)
    expect(receiver.received).to.have.length(before)
  })
})
