/** The create node in a real Node-RED against the real service. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aGateway } from '../support/network/a-gateway.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, host } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { base64, orderPdf, PHRASE } from '../support/pdf/order-pdf.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder, SIGNER } from '../support/service/order.ts'

const msg = (value: string) => ({ type: 'msg', value })

describe('the create node', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })
  const tasks = () => service.client.listTasks()

  describe('built from fields', () => {
    before(() => red.deploy(flow(service.node(), ...createTask())))

    it('sends the document, and the same message goes on without it', async () => {
      const order = anOrder()
      red.inject('create', { ...order, _msgid: 'a-message', topic: 'kept' })
      const message = await red.next('create.0')
      expect(message).to.include({ _msgid: 'a-message', topic: 'kept', status: 'Received', duplicate: false })
      expect(message).to.include({ externalDocId: order.externalDocId })
      expect(message.warnings).to.deep.equal([])
      expect(message).to.not.have.property('payload')
      await service.reaches(message.taskId, 'Pending')
      await red.next('completed')
      await red.statusOf('create', 'created')
    })

    it('takes Base64 with line breaks too', async () => {
      const order = anOrder()
      const wrapped = order.payload.toString('base64').replace(/(.{76})/g, '$1\r\n')
      red.inject('create', { ...order, payload: wrapped })
      await service.reaches((await red.next('create.0')).taskId, 'Pending')
    })

    it('takes values as other systems write them', async () => {
      const order = anOrder()
      const patient = { ...order.patient, names: [{ family: 'Whitfield, Alma Jean' }], sex: 'f', birthDate: '19480312' }
      const payload = `data:application/pdf;base64,${order.payload.toString('base64')}`
      red.inject('create', { ...order, patient, payload, effectiveDate: Date.now() })
      await service.reaches((await red.next('create.0')).taskId, 'Pending')
    })

    it('returns the same task for a document that was sent before, and holds other content back', async () => {
      const order = anOrder()
      red.inject('create', order)
      const first = await red.next('create.0')
      red.inject('create', order)
      expect(await red.next('create.0')).to.include({ taskId: first.taskId, duplicate: true })
      red.inject('create', { ...order, effectiveDate: '2026-01-02' })
      const { error } = await red.next('caught')
      expect(error?.code).to.equal('CONTENT_DIFFERS')
      await red.statusOf('create', 'held')
    })

    it('says everything that is wrong at once, before any call, and quotes no value', async () => {
      const before = (await tasks()).length
      const order = anOrder('99999', { effectiveDate: '12/24/2026', payload: Buffer.from('no document of this kind') })
      red.inject('create', {
        ...order,
        patient: { ...order.patient, sex: 'W', addresses: [{ line: '1 Alder Street' }] },
      })
      const message = await red.next('caught')
      expect(message.error).to.include({ code: 'INVALID_INPUT' })
      expect((message.errors as string[]).map((sentence) => sentence.split(':')[0])).to.have.members([
        'patient.sex',
        'patient.addresses[0].postalCode',
        'performers[0].signer.userNPI',
        'document.effectiveDate',
        'document.attachment',
      ])
      expect(JSON.stringify([message.error, message.errors])).to.not.match(/Alder|12\/24|99999|no document of/)
      expect(await tasks()).to.have.length(before)
      await red.statusOf('create', 'invalid input')
    })

    it('warns of a wrong check digit, and sends all the same', async () => {
      red.inject('create', anOrder('9999900018'))
      const { warnings } = await red.next('create.0')
      expect(warnings).to.have.length(1)
      expect((warnings as string[])[0]).to.match(/^performers\[0\]\.signer\.userNPI: the check digit/)
    })

    it('gives each of several messages at once its own answer', async () => {
      const orders = Array.from({ length: 12 }, () => anOrder())
      for (const order of orders) red.inject('create', order)
      const answers = await Promise.all(orders.map(() => red.next('create.0')))
      expect(new Set(answers.map(({ taskId }) => taskId)).size).to.equal(12)
      expect(answers.map(({ externalDocId }) => externalDocId)).to.have.members(
        orders.map((order) => order.externalDocId),
      )
    })
  })

  it('takes a whole body, with the PDF as a Buffer', async () => {
    await red.deploy(flow(service.node(), ...createTask({ source: 'body' })))
    const { patient, payload, externalDocId, effectiveDate } = anOrder()
    const document = { attachment: payload, externalDocId, effectiveDate, documentTypeId: 104 }
    const body = { patient, performers: [{ signer: { userNPI: SIGNER.idle } }] }
    red.inject('create', { payload: { ...body, document: { ...document, annotations: { type: 'SmartAnnotations' } } } })
    const message = await red.next('create.0')
    await service.reaches(message.taskId, 'Pending')
    expect(message.payload).to.have.nested.property('document.externalDocId', externalDocId)
    expect(message.payload).to.not.have.nested.property('document.attachment')
  })

  describe('with annotations in rows', () => {
    const str = (value: string) => ({ type: 'str', value })
    const num = (value: string) => ({ type: 'num', value })
    const required = { type: 'bool', value: 'true' }
    const rows = { annotationSource: 'rows', placement: 'Json' }
    const place = { left: num('72'), top: num('600.5'), right: num('252'), bottom: num('636') }

    it('sends a field for each row, beside the addresses of the organization', async () => {
      const jsonAnnotations = [
        { type: str('VisibleSignature'), required, pageNumber: num('1'), ...place, value: str('') },
        {
          type: str('TextArea'),
          required: msg('needed'),
          pageNumber: msg('page'),
          ...place,
          top: num('500'),
          bottom: num('540'),
          value: msg('note'),
        },
      ]
      const orgAddresses = [{ line: str('100 Shore Lane'), postalCode: msg('zip') }]
      const gateway = await aGateway(service.baseUrl)
      const { baseUrl } = gateway
      await red.deploy(flow(service.node({ baseUrl }), ...createTask({ ...rows, jsonAnnotations, orgAddresses })))
      red.inject('create', { ...anOrder(), needed: 'false', page: '1', note: 'As discussed', zip: '55802' })
      const { taskId } = await red.next('create.0')
      await service.reaches(taskId, 'Pending')
      await gateway.stop()
      const { document, performers } = JSON.parse(gateway.passed.find(({ method }) => method === 'POST')!.body)
      const box = { left: 72, top: 600.5, right: 252, bottom: 636 }
      expect(document.annotations).to.deep.equal({
        type: 'Json',
        data: [
          { type: 'VisibleSignature', required: true, pageNumber: 1, ...box },
          { type: 'TextArea', required: false, pageNumber: 1, ...box, top: 500, bottom: 540, value: 'As discussed' },
        ],
      })
      expect(performers[0].organization.addresses).to.deep.equal([{ line: '100 Shore Lane', postalCode: '55802' }])
    })

    it('names the cell that is wrong', async () => {
      const jsonAnnotations = [
        { type: str('VisibleSignature'), required, ...place, right: str('wide'), bottom: num('1') },
      ]
      await red.deploy(flow(service.node(), ...createTask({ ...rows, jsonAnnotations })))
      red.inject('create', anOrder())
      const { errors } = await red.next('caught')
      expect((errors as string[]).map((sentence) => sentence.split(':')[0])).to.have.members([
        'document.annotations.data[0].pageNumber',
        'document.annotations.data[0].right',
        'document.annotations.data[0].bottom',
      ])
    })

    it('places next to a text', async () => {
      const textAnnotations = [
        {
          type: str('VisibleSignature'),
          required,
          referenceText: msg('beside'),
          offsetX: num('110'),
          offsetY: num('-8.5'),
          value: str(''),
        },
      ]
      await red.deploy(flow(service.node(), ...createTask({ ...rows, placement: 'ReferenceText', textAnnotations })))
      red.inject('create', { ...anOrder(), payload: Buffer.from(base64(await orderPdf()), 'base64'), beside: PHRASE })
      const { taskId } = await red.next('create.0')
      await service.reaches(taskId, 'Pending')
    })
  })

  it('reads the PDF from a file, and names no path that it cannot read', async () => {
    await red.deploy(flow(service.node(), ...createTask({ attachmentForm: 'path' })))
    const order = anOrder()
    const path = join(red.userDir, 'order.pdf')
    writeFileSync(path, order.payload)
    red.inject('create', { ...order, payload: path })
    const { taskId, payload } = await red.next('create.0')
    expect(payload, 'the node that moves the file needs its path').to.equal(path)
    await service.reaches(taskId, 'Pending')
    red.inject('create', { ...anOrder(), payload: '/nowhere/Whitfield.pdf' })
    const { error } = await red.next('caught')
    expect(error?.message).to.match(/document\.attachment: the file cannot be read \(ENOENT\)/)
    expect(error?.message).to.not.contain('Whitfield')
  })

  it('passes the refusal of the service on', async () => {
    await red.deploy(flow(service.node(), ...createTask({ documentTypeId: '999' })))
    red.inject('create', anOrder())
    const message = await red.next('caught')
    expect(message.error).to.include({ code: 'REFUSED' })
    expect(message.statusCode).to.equal(400)
    expect((message.errors as string[]).join()).to.contain('document.documentTypeId')
    await red.statusOf('create', 'refused')
    expect(red.waiting('completed')).to.deep.equal([])
  })

  it('tells a refused key from everything else', async () => {
    await red.deploy(flow(host(service.baseUrl), ...createTask()))
    red.inject('create', anOrder())
    const message = await red.next('caught')
    expect(message.error).to.include({ code: 'UNAUTHORIZED' })
    expect(message.statusCode).to.be.oneOf([401, 403])
    await red.statusOf('create', 'key refused')
  })

  it('says that nobody answers, after a few attempts, and sends the same message when somebody does', async () => {
    await red.deploy(flow(host(`http://127.0.0.1:${await freePort()}`), ...createTask()))
    const order = anOrder()
    red.inject('create', order)
    await red.statusOf('create', '1 in flight')
    const message = await red.next('caught', () => true, 35_000)
    expect(message.error).to.include({ code: 'ECONNREFUSED' })
    expect(message.payload, 'the document stays for the next attempt').to.deep.equal(order.payload)
    await red.statusOf('create', 'unreachable')
    await red.deploy(flow(service.node(), ...createTask()))
    red.inject('create', { ...order, payload: message.payload })
    expect(await red.next('create.0')).to.include({ externalDocId: order.externalDocId, duplicate: false })
  })

  it('never writes the key or the patient to the log', () => {
    expect(red.log.join('')).to.not.match(/a-key-of-a-test|Whitfield|Alder|1948/)
    expect(red.log.join('')).to.not.contain(service.apiKey)
  })
})
