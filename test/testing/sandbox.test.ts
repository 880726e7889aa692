import { expect } from 'chai'
import { fetchSigned } from '../../lib/client/fetch-signed.ts'
import { type ScenarioInput, sampleTask, startSandbox, type TestSandbox } from '../../testing/door.ts'

describe('A sandbox for tests', () => {
  let sandbox: TestSandbox
  before(async () => {
    sandbox = await startSandbox()
  })
  after(() => sandbox.stop())
  afterEach(() => sandbox.reset())

  const create = async (externalDocId = 'SAMPLE-1') =>
    (await sandbox.client.createTask({ body: await sampleTask({ externalDocId }) })).taskId

  it('signs a task that was only just created, tells its receiver, and gives the signed PDF', async () => {
    const taskId = await create()
    await sandbox.sign(taskId)
    const event = await sandbox.receiver.next({ taskId, status: 'Completed' })
    expect(event.documentId).to.be.a('number')
    const { bytes } = await fetchSigned(sandbox.client, taskId)
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).to.equal('%PDF-')
  })

  it('rejects with the reason', async () => {
    const taskId = await create()
    await sandbox.reject(taskId, 'Not my patient')
    expect((await sandbox.receiver.next({ status: 'Rejected' })).statusReason).to.equal('Not my patient')
  })

  it('plays a scenario to its end, and says which step was refused', async () => {
    const anOrder = { patient: 'usual', document: 'order', placement: 'coordinates', signer: '9999900035' } as const
    const scenario = {
      name: 'signed',
      title: 'Signed',
      about: 'An order is signed.',
      steps: [{ say: 'It arrives and is signed.', do: [{ do: 'send', ...anOrder }, { do: 'sign' }] }],
    } satisfies ScenarioInput
    const { done } = await sandbox.play(scenario)
    expect(done).to.equal(1)
    await sandbox.receiver.next({ status: 'Completed' })
    const refused = await sandbox
      .play({ ...scenario, steps: [{ say: 'Too early.', do: [{ do: 'sign' }] }] })
      .catch((error: Error) => error)
    expect(String(refused)).to.include('has made no task')
  })

  it('refuses to sign what is signed, and says so', async () => {
    const taskId = await create()
    await sandbox.sign(taskId)
    const failure = await sandbox.sign(taskId).catch((error: Error) => error)
    expect(String(failure)).to.include(`Task ${taskId} is Completed; only a Pending task can be signed or rejected.`)
  })

  it('lets time pass', async () => {
    const { aheadSeconds: before } = await sandbox.advance(1)
    const { aheadSeconds, now } = await sandbox.advance(3600)
    expect(aheadSeconds - before).to.equal(3600)
    expect(Date.parse(now)).to.be.greaterThan(Date.now() + 3_590_000)
  })

  it('refuses to let no time pass, in the words of the service', async () => {
    const failure = await sandbox.advance(0).catch((error: Error) => error)
    expect(failure).to.have.property('name', 'RefusedError')
    expect(String(failure)).to.include('advanceSeconds: a whole number from 1 to 8640000')
  })

  it('lets one patient be sent under many ids, without a person who says who it is', async () => {
    await sandbox.review('none')
    for (const externalId of ['ONE', 'TWO']) {
      const body = await sampleTask({ externalDocId: `DOC-${externalId}` })
      const patient = { ...body.patient, externalId, identifiers: null }
      const { taskId } = await sandbox.client.createTask({ body: { ...body, patient } })
      await sandbox.sign(taskId)
    }
  })

  it('loses an answer when asked, and takes planned faults back', async () => {
    await sandbox.fault({ on: 'request', operation: 'createTask', fault: 'lose-answer', times: 1 })
    const failure = await create('LOST').catch((error: Error) => error)
    expect(failure).to.have.property('name', 'UnreachableError')
    const found = await sandbox.client.listTasks({ query: { externalDocId: 'LOST' } })
    expect(found).to.have.length(1)

    await sandbox.fault({ on: 'request', fault: 'refuse', status: 503 })
    await sandbox.clearFaults()
    expect(await sandbox.client.listTasks()).to.have.length(1)
  })

  it('gives each event once although the callback came twice, and tells what was wrong with a forged one', async () => {
    await sandbox.fault({ on: 'callback', status: 'Pending', fault: 'duplicate', times: 1 })
    await sandbox.fault({ on: 'callback', status: 'Retracted', fault: 'wrong-signature', times: 1 })
    const taskId = await create()
    await sandbox.receiver.next({ taskId, status: 'Pending' })
    await sandbox.client.retractTask({ params: { id: taskId } })
    await sandbox.advance(60)
    await sandbox.receiver.next({ taskId, status: 'Retracted' })
    const statuses = sandbox.receiver.events.filter((event) => event.taskId === taskId).map(({ status }) => status)
    expect(statuses.filter((status) => status === 'Pending')).to.have.length(1)
    expect(sandbox.receiver.errors.map((error) => (error as { code: string }).code)).to.deep.equal(['no_match'])
  })

  it('says which event did not come, and which did', async () => {
    const taskId = await create()
    await sandbox.receiver.next({ taskId, status: 'Pending' })
    const failure = await sandbox.receiver.next({ taskId, status: 'Pending' }, 20).catch((error: Error) => error)
    expect(String(failure)).to.include(`with the status Pending of task ${taskId} came within 20 ms`)
    expect(String(failure)).to.include(`Pending of task ${taskId}`)
  })

  it('begins anew after a reset', async () => {
    await create()
    await sandbox.reset()
    expect(await sandbox.client.listTasks()).to.deep.equal([])
    expect(sandbox.receiver.events).to.deep.equal([])
  })

  it('speaks as another host does', async () => {
    const other = await startSandbox({ profile: { headerPrefix: 'X-Acme-', apiKeyHeader: 'X-Acme-Key' } })
    try {
      const { taskId } = await other.client.createTask({ body: await sampleTask() })
      await other.sign(taskId)
      expect((await other.receiver.next({ status: 'Completed' })).taskId).to.equal(taskId)
    } finally {
      await other.stop()
    }
  })
})
