/** The audit log for operators: listed with names, narrowed, saved as a file, and checked. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import type { AuditListed, AuditVerification } from '../../../server/operations/operator/messages/audit.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

describe('the audit log in the console', function () {
  this.timeout(60_000)
  const folder = aFolder()
  let service: TestService
  let operator: Visit
  let taskId: number
  before(async () => {
    service = await aService({ data: folder })
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    await operator.ask('POST', `/admin/v1/tasks/${taskId}/cancel`, { reason: 'Sent in error' })
  })
  after(() => service.stop())

  const list = async (query = '') => (await operator.ask<AuditListed[]>('GET', `/admin/v1/audit${query}`)).body
  const verify = async () => (await operator.ask<AuditVerification>('POST', '/admin/v1/audit/verify')).body

  it('is listed newest first, with who acted, and page by page', async () => {
    const all = await list()
    expect(all.map(({ sequence }) => sequence)).to.deep.equal(
      all.map(({ sequence }) => sequence).toSorted((a, b) => b - a),
    )
    const cancelled = all.find(({ action }) => action === 'task.cancel')!
    expect(cancelled).to.deep.include({ taskId, outcome: 'done', subject: null })
    expect(cancelled.by).to.include({ kind: 'operator', name: 'Service operator' })
    const [first, second] = await list('?limit=2')
    expect(await list(`?limit=1&before=${first!.sequence}`)).to.deep.equal([second])
  })

  it('is narrowed by action and by task, and together', async () => {
    const ofTask = await list(`?taskId=${taskId}`)
    expect(new Set(ofTask.map((entry) => entry.taskId))).to.deep.equal(new Set([taskId]))
    expect(ofTask.length).to.be.at.least(3)
    expect((await list('?action=task.cancel')).map(({ action }) => action)).to.deep.equal(['task.cancel'])
    expect(await list(`?action=task.cancel&taskId=${taskId}`)).to.have.length(1)
    expect(await list(`?action=task.sign&taskId=${taskId}`)).to.deep.equal([])
    expect((await operator.ask('GET', '/admin/v1/audit?action=Robert%27)')).status).to.equal(400)
  })

  it('is narrowed by who acted and by time, also in its file', async () => {
    const [cancelled] = await list('?action=task.cancel')
    const { at, by } = cancelled!
    const ofOperator = await list(`?actor=${by.id}`)
    expect(new Set(ofOperator.map((entry) => `${entry.by.kind} ${entry.by.id}`))).to.deep.equal(
      new Set([`operator ${by.id}`]),
    )
    expect(ofOperator.map(({ sequence }) => sequence)).to.include(cancelled!.sequence)
    const byService = await list('?actor=service')
    expect(byService.length).to.be.at.least(1)
    expect(new Set(byService.map((entry) => entry.by.kind))).to.deep.equal(new Set(['service']))
    const offset = at.replace('Z', '+00:00')
    const since = await list(`?since=${encodeURIComponent(offset)}`)
    expect(since.every((entry) => entry.at >= at)).to.equal(true)
    expect(since.map(({ sequence }) => sequence)).to.include(cancelled!.sequence)
    const until = await list(`?until=${at}`)
    expect(until.length).to.be.at.least(1)
    expect(until.every((entry) => entry.at < at)).to.equal(true)
    const { bytes } = await operator.ask('GET', `/admin/v1/audit/export?action=task.cancel&actor=${by.id}&since=${at}`)
    expect(bytes.toString().trim().split('\r\n')).to.have.length(2)
    expect((await operator.ask('GET', '/admin/v1/audit?since=yesterday')).status).to.equal(400)
  })

  it('is saved as a file, which is an entry itself', async () => {
    const { status, bytes, headers } = await operator.ask('GET', `/admin/v1/audit/export?taskId=${taskId}`)
    expect(status).to.equal(200)
    expect(headers.get('content-disposition')).to.equal('attachment; filename="audit.csv"')
    const lines = bytes.toString().trim().split('\r\n')
    expect(lines[0]).to.match(/^"Number","Time","Who"/)
    expect(lines).to.have.length((await list(`?taskId=${taskId}`)).length + 1)
    expect((await list('?limit=1'))[0]).to.include({ action: 'audit.export', subject: `${lines.length - 1}` })
  })

  it('is checked, and a changed entry is found', async () => {
    const { fault, changedRows, entries, head } = await verify()
    expect([fault, changedRows]).to.deep.equal([null, 0])
    expect(head).to.match(new RegExp(`^${entries}:[0-9a-f]{64}$`))
    await eventually(() => {
      // Does not wait for a lock: its holder in this process would wait for it.
      using database = new DatabaseSync(join(folder, 'countersign.sqlite'), { timeout: 0 })
      database.prepare("UPDATE audit SET subject = 'another' WHERE sequence = 2").run()
    })
    expect((await verify()).fault).to.match(/^row 2 was changed/)
  })

  it('is not for administrators', async () => {
    const administrator = aVisit(service.baseUrl)
    await administrator.signInAs('Willow Creek administrator')
    for (const path of ['', '/export'])
      expect((await administrator.ask('GET', `/admin/v1/audit${path}`)).status).to.equal(403)
  })
})
