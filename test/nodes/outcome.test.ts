/** Download, retract and record in a real Node-RED against the real service, each twice and in the wrong order too. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, download, flow, host, record, retract } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'

describe('the nodes of the outcome', function () {
  this.timeout(30_000)
  let red: NodeRed
  let service: HostedService
  let folder: string

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    folder = join(red.userDir, 'signed')
    await red.deploy(flow(service.node(), ...createTask(), ...download(), ...retract(), ...record()))
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  const createdTask = (status: 'Pending' | 'Completed' = 'Pending') => aCreatedTask(red, service, status)
  const caught = async (from: string) => {
    const message = await red.next('caught')
    expect(message.error?.source?.id).to.equal(from)
    return message
  }

  describe('download', () => {
    it('gives the signed PDF as a Buffer, with its hash and name', async () => {
      const { taskId, externalDocId } = await createdTask('Completed')
      red.inject('download', { taskId: String(taskId), topic: 'kept' })
      const message = await red.next('download.0')
      const pdf = message.payload as Buffer
      expect(pdf.subarray(0, 5).toString()).to.equal('%PDF-')
      expect(message).to.include({ taskId, externalDocId, topic: 'kept', status: 'Completed', size: pdf.length })
      expect(message).to.include({ filename: `${taskId}.pdf`, contentType: 'application/pdf' })
      expect(message.sha256).to.equal(createHash('sha256').update(pdf).digest('hex'))
    })

    it('says what is missing before the signer has signed', async () => {
      const { taskId } = await createdTask()
      red.inject('download', { taskId })
      const { error } = await caught('download')
      expect(error).to.include({ code: 'NOT_COMPLETED' })
      expect(error?.message).to.contain(`Task ${taskId} is Pending`)
      await red.statusOf('download', 'not completed')
    })

    it('reports a task that does not exist as refused', async () => {
      red.inject('download', { taskId: 987654 })
      const message = await caught('download')
      expect(message.error).to.include({ code: 'REFUSED' })
      expect(message.statusCode).to.equal(404)
    })
  })

  describe('retract', () => {
    it('withdraws a task, and again without harm', async () => {
      const { taskId } = await createdTask()
      red.inject('retract', { taskId, reason: 'Corrected document follows' })
      expect(await red.next('retract.0')).to.include({ taskId, status: 'Retracted', repeated: false })
      const { status, statusReason } = await service.client.readTask({ params: { id: taskId } })
      expect([status, statusReason]).to.deep.equal(['Retracted', 'Corrected document follows'])
      red.inject('retract', { taskId })
      expect(await red.next('retract.0')).to.include({ repeated: true })
    })

    it('says when the signer was faster', async () => {
      const { taskId } = await createdTask('Completed')
      red.inject('retract', { taskId })
      expect((await caught('retract')).error).to.include({ code: 'ALREADY_SIGNED' })
      await red.statusOf('retract', 'already signed')
    })

    it('passes the refusal on for a task that is not there', async () => {
      red.inject('retract', { taskId: 987654 })
      const message = await caught('retract')
      expect([message.error?.code, message.statusCode]).to.deep.equal(['REFUSED', 400])
    })
  })

  describe('record', () => {
    it('records the id, and again without harm', async () => {
      const { taskId } = await createdTask('Completed')
      const savedId = `SAVED-${taskId}`
      red.inject('record', { taskId, savedId })
      expect(await red.next('record.0')).to.include({ taskId, externalSavedDocumentId: savedId, repeated: false })
      const { output } = await service.client.readTask({ params: { id: taskId } })
      expect(output).to.include({ externalSavedDocumentId: savedId, isArchived: false, isFiled: false })
      red.inject('record', { taskId, savedId })
      expect(await red.next('record.0')).to.include({ repeated: true })
    })

    it('passes the refusal on for an id that another task has, and before the end of a task', async () => {
      const { taskId: first } = await createdTask('Completed')
      const { taskId: second } = await createdTask('Completed')
      red.inject('record', { taskId: first, savedId: `SAVED-${first}` })
      await red.next('record.0')
      red.inject('record', { taskId: second, savedId: `SAVED-${first}` })
      expect((await caught('record')).error).to.include({ code: 'REFUSED' })
      const { taskId: pending } = await createdTask()
      red.inject('record', { taskId: pending, savedId: 'SAVED-pending' })
      expect((await caught('record')).error).to.include({ code: 'REFUSED' })
    })

    it('asks for an id before it calls', async () => {
      red.inject('record', { taskId: 'nonsense' })
      const message = await caught('record')
      expect(message.error).to.include({ code: 'INVALID_INPUT' })
      expect((message.errors as string[]).map((sentence) => sentence.split(':')[0])).to.deep.equal([
        'taskId',
        'externalSavedDocumentId',
      ])
    })
  })

  describe('set up otherwise', () => {
    it('writes the PDF whole, under a name that stays in its folder', async () => {
      const { taskId } = await createdTask('Completed')
      const settings = { deliver: 'file', folder, filename: '../{taskId}/{externalDocId}.pdf' }
      await red.deploy(flow(service.node(), ...createTask(), ...download(settings)), 'nodes')
      red.inject('download', { taskId })
      const { payload, filename, sha256 } = await red.next('download.0')
      expect(payload).to.equal(filename)
      expect(readdirSync(folder)).to.have.length(1)
      expect(String(filename).startsWith(folder)).to.equal(true)
      expect(
        createHash('sha256')
          .update(readFileSync(String(filename)))
          .digest('hex'),
      ).to.equal(sha256)
    })

    it('gives the PDF as Base64 or as a data URL', async () => {
      const { taskId } = await createdTask('Completed')
      for (const [deliver, start] of Object.entries({ base64: '', dataUrl: 'data:application/pdf;base64,' })) {
        await red.deploy(flow(service.node(), ...createTask(), ...download({ deliver })), 'nodes')
        red.inject('download', { taskId })
        const { payload, sha256 } = await red.next('download.0')
        expect(String(payload).startsWith(`${start}JVBERi`), deliver).to.equal(true)
        const pdf = Buffer.from(String(payload).slice(start.length), 'base64')
        expect(createHash('sha256').update(pdf).digest('hex')).to.equal(sha256)
      }
    })

    it('names the file after the patient when told to, and tells it nobody else', async () => {
      const { taskId } = await createdTask('Completed')
      const settings = { deliver: 'file', folder, filename: '{family} {mrn} {date} {status}.pdf' }
      await red.deploy(flow(service.node(), ...createTask(), ...download(settings)), 'nodes')
      red.inject('download', { taskId, family: '../../Okonkwo', mrn: 'WC\n77' })
      const { filename } = await red.next('download.0')
      const day = new Date().toLocaleDateString('sv')
      expect(filename).to.equal(join(folder, `%2E.%2F..%2FOkonkwo WC%0A77 ${day} Completed.pdf`))
      const { text } = await red.statusOf('download', 'downloaded')
      expect(text).to.match(new RegExp(`^downloaded, task ${taskId}, [0-2]\\d:[0-5]\\d$`))
      expect(red.log.join('')).to.not.contain('Okonkwo')
    })

    it('asks for what the file name needs of the patient before it calls', async () => {
      await red.deploy(flow(service.node(), ...createTask(), ...download({ filename: '{mrn}.pdf' })), 'nodes')
      red.inject('download', { taskId: 1, family: 'Okonkwo' })
      const { error, errors } = await caught('download')
      expect(error).to.include({ code: 'INVALID_INPUT' })
      expect(errors).to.have.length(1)
      expect((errors as string[])[0]).to.match(/^mrn: /)
    })

    it('reports a folder that cannot be written', async () => {
      const { taskId } = await createdTask('Completed')
      const settings = { deliver: 'file', folder: join(red.userDir, 'settings.js') }
      await red.deploy(flow(service.node(), ...createTask(), ...download(settings)), 'nodes')
      red.inject('download', { taskId })
      expect((await caught('download')).error).to.include({ code: 'CANNOT_SAVE' })
    })

    it('records under the name that it gives, and still takes the former one', async () => {
      const input = { externalSavedDocumentId: 'externalSavedDocumentId' }
      await red.deploy(flow(service.node(), ...createTask(), ...record(input)), 'nodes')
      const { taskId: first } = await createdTask('Completed')
      const externalSavedDocumentId = `SAVED-${first}`
      red.inject('record', { taskId: first, externalSavedDocumentId, savedId: 'of an earlier task' })
      expect(await red.next('record.0')).to.include({ externalSavedDocumentId, repeated: false })
      const { taskId: second } = await createdTask('Completed')
      red.inject('record', { taskId: second, savedId: `SAVED-${second}` })
      expect(await red.next('record.0')).to.include({ externalSavedDocumentId: `SAVED-${second}` })
    })

    it('archives and files when told to', async () => {
      await red.deploy(flow(service.node(), ...createTask(), ...record({ archive: true, file: true })), 'nodes')
      const { taskId } = await createdTask('Completed')
      red.inject('record', { taskId, savedId: `FILED-${taskId}` })
      await red.next('record.0')
      const { output } = await service.client.readTask({ params: { id: taskId } })
      expect(output).to.include({ isArchived: true, isFiled: true })
    })

    it('says that nobody answers', async () => {
      const nobody = host(`http://127.0.0.1:${await freePort()}`)
      await red.deploy(flow(nobody, ...download(), ...retract(), ...record()))
      for (const id of ['download', 'retract', 'record']) {
        red.inject(id, { taskId: 1, savedId: 'SAVED-1' })
        expect((await caught(id)).error).to.include({ code: 'ECONNREFUSED' })
        await red.statusOf(id, 'unreachable')
      }
      expect(red.isRunning()).to.equal(true)
    })
  })
})
