/** What create-once does with every answer of a host. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  RefusedError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from '../../../../lib/client/errors.ts'
import { bodyHash } from '../../../../lib/client/once/body-hash.ts'
import { serviceScope } from '../../../../lib/client/service-scope.ts'
import { openJournal } from '../../../../lib/journal/open.ts'
import { aCreateBody, aTaskRecord } from '../../support/bodies.ts'
import { created, creating, timedOut } from './creating.ts'

describe('creating a task once', () => {
  const { clock, host, calls, anOnce, failure, create } = creating()

  it('sends a document once, and says so when it comes again, also after a restart', async () => {
    expect(await create()).to.deep.equal({ ...created, duplicate: false, adopted: false })
    expect(await create()).to.deep.equal({ ...created, duplicate: true, adopted: false })
    expect(calls).to.deep.equal(['post'])
  })

  it('knows without asking what its own key has created', async () => {
    await create(aCreateBody(), { sender: 'key-1' })
    host.lists = [new UnreachableError('listTasks', 'ECONNREFUSED', false)]
    expect(await create(aCreateBody(), { sender: 'key-1' })).to.include({ taskId: 1001, duplicate: true })
    expect(calls).to.deep.equal(['post'])
  })

  it('knows the task and the type of a document that it has sent, and of no other', async () => {
    await create()
    const once = anOnce()
    expect([await once.taskOf('EHR|DOC-000123'), await once.documentTypeOf('EHR|DOC-000123')]).to.deep.equal([
      1001, 104,
    ])
    expect([await once.taskOf('EHR|DOC-000124'), await once.documentTypeOf('EHR|DOC-000124')]).to.deep.equal([
      undefined,
      undefined,
    ])
  })

  it('sends it once when it comes ten times at once', async () => {
    const once = anOnce()
    const results = await Promise.all(Array.from({ length: 10 }, () => once.createTask(aCreateBody())))
    expect(results.filter(({ duplicate }) => !duplicate)).to.have.length(1)
    expect(calls).to.deep.equal(['post'])
  })

  it('takes the same body in another order for the same', async () => {
    await create()
    const { patient, performers, document } = aCreateBody()
    expect((await create({ document, performers, patient })).duplicate).to.equal(true)
    expect(bodyHash({ a: 1, b: [undefined, { c: undefined }] })).to.equal(bodyHash({ b: [null, {}], a: 1 }))
  })

  it('keeps the documents of two services and two keys apart', async () => {
    await create()
    for (const scope of [
      serviceScope('https://other.example.org', 'key'),
      serviceScope('https://sign.example.org', 'k2'),
    ])
      expect((await create(aCreateBody(), { scope })).duplicate).to.equal(false)
    for (const end of ['/', '/api/v1', '/api/v1/'])
      expect(serviceScope(`https://sign.example.org${end}`, 'key')).to.equal(
        serviceScope('https://sign.example.org', 'key'),
      )
  })

  it('holds other content under the same externalDocId', async () => {
    await create()
    const held = await failure(anOnce().createTask(aCreateBody({ effectiveDate: '2026-01-16' })))
    expect([held.code, held.taskIds]).to.deep.equal(['CONTENT_DIFFERS', [1001]])
    expect((await create()).duplicate, 'the first one still stands').to.equal(true)
  })

  describe('when certainly nothing was created', () => {
    it('sends again after a pause that grows', async () => {
      const refused = new UnreachableError('createTask', 'ECONNREFUSED', false)
      host.posts = [refused, refused, refused, created]
      const start = clock.now()
      await create()
      expect(calls).to.deep.equal(['post', 'post', 'post', 'post'])
      expect(clock.now() - start).to.equal(1000 + 2000 + 4000)
    })

    it('gives up right after its last attempt, and starts afresh when asked again', async () => {
      host.posts = [new UnreachableError('createTask', 'ECONNREFUSED', false)]
      const start = clock.now()
      expect((await failure(anOnce().createTask(aCreateBody()))).code).to.equal('ECONNREFUSED')
      expect(calls).to.have.length(5)
      expect(clock.now() - start, 'pauses between attempts only').to.equal(1000 + 2000 + 4000 + 8000)
      host.posts = [created]
      calls.length = 0
      expect(await create()).to.include({ duplicate: false })
      expect(calls, 'no look is needed').to.deep.equal(['post'])
    })

    it('waits as long as a busy host says, and up to a fifth longer', async () => {
      host.posts = [new RefusedError('createTask', 429, ['too many'], 17), created]
      const start = clock.now()
      await create()
      expect(clock.now() - start, 'random is 0.5').to.equal(17_000 * 1.1)
    })

    it('passes a refusal on, and sends the mended document', async () => {
      host.posts = [new RefusedError('createTask', 400, ['patient.sex: required']), created]
      expect(await failure(anOnce().createTask(aCreateBody()))).to.be.instanceOf(RefusedError)
      expect(await create(aCreateBody({ effectiveDate: '2026-01-16' }))).to.include({ duplicate: false })
      expect(calls).to.deep.equal(['post', 'post'])
    })

    it('passes on at once that the service lives elsewhere', async () => {
      host.posts = [new UnexpectedResponseError('createTask', 308, ['the body is not the expected JSON']), created]
      expect(await failure(anOnce().createTask(aCreateBody()))).to.be.instanceOf(UnexpectedResponseError)
      expect(await create()).to.include({ duplicate: false })
      expect(calls).to.deep.equal(['post', 'post'])
    })

    it('leaves a refused key alone for a while', async () => {
      host.posts = [new UnauthorizedError('createTask', 403, ['unknown key']), created]
      const once = anOnce()
      for (let at = 0; at < 3; at++)
        expect(await failure(once.createTask(aCreateBody({ externalDocId: `EHR|${at}` })))).to.be.instanceOf(
          UnauthorizedError,
        )
      expect(calls).to.deep.equal(['post'])
      await clock.pass(30_000)
      expect(await once.createTask(aCreateBody())).to.include({ duplicate: false })
    })
  })

  describe('with a journal that was lost', () => {
    it('looks first when asked to', async () => {
      host.lists = [[aTaskRecord()]]
      expect(await create(aCreateBody(), { looksFirst: true })).to.include({ adopted: true })
      expect(calls).to.deep.equal(['list'])
    })

    it('sends when there is none, and not when the look failed', async () => {
      host.lists = [timedOut()]
      expect((await failure(anOnce({ looksFirst: true }).createTask(aCreateBody()))).code).to.equal('ETIMEDOUT')
      expect(calls).to.deep.equal(['list'])
      host.lists = [[]]
      expect(await create(aCreateBody(), { looksFirst: true })).to.include({ duplicate: false, adopted: false })
    })
  })

  it('sends nothing when the intent cannot be written', async () => {
    const closed = await openJournal(':memory:', 'create')
    await closed.close()
    expect(await failure(anOnce({ journal: closed }).createTask(aCreateBody()))).to.be.instanceOf(Error)
    expect(calls).to.deep.equal([])
  })

  it('writes nothing of the patient, the document or the key into the journal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'create-once-'))
    const file = join(folder, 'create.sqlite')
    const onDisk = await openJournal(file, 'create')
    await create(aCreateBody(), { journal: onDisk })
    const written = readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1')
    await onDisk.close()
    rmSync(folder, { recursive: true })
    expect(written).to.contain('"state":"created"')
    for (const secret of [
      'DOC-000123',
      'Whitfield',
      'WC100001',
      '1948',
      'sign.example.org',
      aCreateBody().document.attachment,
    ])
      expect(written).not.to.contain(secret)
  })
})
