/** Finding a task by what a caller says, and lists that are narrowed and saved. */
import { expect } from 'chai'
import type { ChainedRow } from '../../../server/domain/audit.ts'
import type { FoundTasks } from '../../../server/operations/operator/messages/task-search.ts'
import type { OverviewTask } from '../../../server/operations/operator/messages/tasks.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { countersign } from '../../support/service/served.ts'

const PASSWORD = 'correct horse battery staple'

describe('finding a task', function () {
  this.timeout(60_000)
  const folder = aFolder()
  let service: TestService
  let operator: Visit
  let administrator: Visit
  let other: Visit
  const ids: Record<string, number> = {}
  before(async () => {
    service = await aService({ data: folder })
    operator = aVisit(service.baseUrl)
    administrator = aVisit(service.baseUrl)
    other = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    await administrator.signInAs('Willow Creek administrator')
    const { body: organizations } = await operator.ask<{ id: number; name: string }[]>('GET', '/admin/v1/organizations')
    const organizationId = organizations.find(({ name }) => name === 'Northfield Hospice')!.id
    const account = {
      email: 'ada@northfield.example',
      name: 'Ada',
      role: 'administrator',
      organizationId,
      password: PASSWORD,
    }
    expect((await operator.ask('POST', '/admin/v1/accounts', account)).status).to.equal(201)
    await other.signIn('ada@northfield.example', PASSWORD)
    for (const [family, given, birthDate, externalDocId] of [
      ['Müller', 'Anna', '1948-03-12', 'WC-17'],
      ['García Márquez', 'Luz', '1950-01-02', '=cmd|1'],
      ['Smith', 'Joan', '1948-03-12', 'WC-19'],
      ['Smith', 'John', '1961-07-30', 'WC-20'],
    ] as const) {
      const body = aCreateBody({
        patient: { externalId: externalDocId, birthDate, names: [{ family, given: [given] }] },
      })
      const sent = { ...body, document: { ...body.document, externalDocId } }
      ids[`${given} ${family}`] = await service.create(sent)
    }
  })
  after(() => service.stop())

  const find = async (search: string, who = operator) => {
    const { status, body } = await who.ask<FoundTasks>('POST', '/admin/v1/tasks/search', { search })
    expect(status).to.equal(200)
    return body
  }
  const patients = async (search: string, who = operator) =>
    (await find(search, who)).byPatient.map(({ taskId }) => taskId).sort()
  const of = (...names: string[]) => names.map((name) => ids[name]!).sort()

  it('finds a patient by family name, in any spelling of it, and by birth date', async () => {
    for (const search of ['muller', 'MÜLLER', 'Müller, Anna', 'anna muller', 'muller 03/12/1948'])
      expect(await patients(search), search).to.deep.equal(of('Anna Müller'))
    for (const search of ['garcia', 'marquez', 'García Márquez', 'Luz Garcia'])
      expect(await patients(search), search).to.deep.equal(of('Luz García Márquez'))
    expect(await patients('smith')).to.deep.equal(of('Joan Smith', 'John Smith'))
    expect(await patients('joan smith')).to.deep.equal(of('Joan Smith'))
    for (const search of ['1948-03-12', '3/12/1948', '12.03.1948', '19480312'])
      expect(await patients(search), search).to.deep.equal(of('Anna Müller', 'Joan Smith'))
    expect(await patients('smith 1948-03-12')).to.deep.equal(of('Joan Smith'))
  })

  it('finds nothing by a part of a family name, or by a name without its birth date', async () => {
    for (const search of ['smi', 'joan', 'smith 1948-03-13', '1948-02-31', '%', 'x'])
      expect(await patients(search), search).to.deep.equal([])
  })

  it('finds a task by its number and by its sender’s id, and a signer by name and NPI', async () => {
    const taskId = ids['Joan Smith']!
    for (const search of [String(taskId), 'WC-19'])
      expect(
        (await find(search)).byId.map((task) => task.taskId),
        search,
      ).to.deep.equal([taskId])
    const [signer] = (await find(SIGNER.marsh)).signers
    expect(signer!.npi).to.equal(SIGNER.marsh)
    expect((await find(signer!.signingName.split(' ')[1]!)).signers.map(({ npi }) => npi)).to.include(SIGNER.marsh)
  })

  it('shows an administrator the tasks of their own organization alone, and no signers', async () => {
    expect(await patients('smith', administrator)).to.deep.equal(of('Joan Smith', 'John Smith'))
    expect(await patients('smith', other)).to.deep.equal([])
    for (const search of [String(ids['Joan Smith']), 'WC-19'])
      expect((await find(search, other)).byId).to.deep.equal([])
    expect((await find(SIGNER.marsh, administrator)).signers).to.deep.equal([])
  })

  it('shows initials in lists, and no more, unless the service is set otherwise', async () => {
    const [task] = (await find('WC-19')).byId
    expect(task!.patient).to.deep.equal({ name: 'J. S.', birthDate: null })
    const listed = (await operator.ask<OverviewTask[]>('GET', '/admin/v1/tasks')).body
    expect(JSON.stringify(listed)).not.to.match(/Smith|Joan|1948/)
  })

  it('narrows a list by sender, signer, dates, age and record', async () => {
    const list = async (query: string) => {
      const { status, body } = await operator.ask<OverviewTask[]>('GET', `/admin/v1/tasks?${query}`)
      expect(status, query).to.equal(200)
      return body.map(({ taskId }) => taskId)
    }
    const all = await list('')
    const [first] = (await operator.ask<OverviewTask[]>('GET', '/admin/v1/tasks')).body
    const { organizationId, signerNpi, createdAt } = first!
    expect(await list(`organizationId=${organizationId}&signer=${signerNpi}&recorded=false`)).to.deep.equal(all)
    for (const none of ['organizationId=2', `signer=${SIGNER.unknown}`, 'recorded=true', 'olderThan=1', 'typeId=99999'])
      expect(await list(none), none).to.deep.equal([])
    expect(await list(`to=${createdAt}`)).not.to.include(first!.taskId)
    expect(await list(`from=${createdAt}`)).to.include(first!.taskId)
    expect((await operator.ask('GET', '/admin/v1/tasks?signer=12')).status).to.equal(400)
  })

  it('saves a list as CSV in which nothing is run as a formula', async () => {
    const answer = await operator.ask('GET', '/admin/v1/tasks/export')
    expect(answer.headers.get('content-type')).to.equal('text/csv; charset=utf-8')
    const lines = answer.bytes.toString('utf8').trim().split('\r\n')
    expect(lines).to.have.length(5)
    expect(lines.filter((line) => line.includes('"\'=cmd|1"'))).to.have.length(1)
    expect(lines.join()).not.to.match(/Smith|,"[=+@]/)
    const theirs = await other.ask('GET', '/admin/v1/tasks/export')
    expect(theirs.bytes.toString('utf8').trim().split('\r\n'), 'of another organization').to.have.length(1)
  })

  it('audits each search and each saved list, without the words', async () => {
    const { stdout } = await countersign(['audit', 'export', '--data', folder])
    const rows = stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line) as ChainedRow] : []))
    const searches = rows.filter(({ action }) => action === 'task.search')
    expect(searches.length).to.be.above(10)
    expect(rows.filter(({ action }) => action === 'task.export')).to.have.length(2)
    expect(JSON.stringify(rows)).not.to.match(/smith|muller|garcia|1948-03/i)
  })
})
