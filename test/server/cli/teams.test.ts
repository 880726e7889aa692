/** `serve --teams`: the sandboxes of two teams in one process, and that nothing of one touches the other. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { optionsOf, startTeams, type TeamServices } from '../../../server/cli/serving/teams.ts'
import { checkedSettings } from '../../../server/settings.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedPool } from '../../support/pdf/shared-pool.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { createOverheard } from '../../support/service/a-service.ts'
import { countersign, listening, MAIN } from '../../support/service/served.ts'

interface Clock {
  aheadSeconds: number
}

describe('two teams that share a sandbox', function () {
  this.timeout(60_000)
  const names = ['north', 'south']
  let teams: TeamServices
  before(async () => {
    const settings = checkedSettings({ port: 0, data: ':memory:', sandbox: true, seed: 'demo' })
    const given = { sandbox: true, seed: 'demo', allowHttpWebhooks: true, createPool: sharedPool } as const
    teams = await startTeams(optionsOf(names, settings, given), createOverheard)
  })
  after(() => teams?.stop())

  function team(index: number) {
    const { baseUrl, apiKeys } = teams.services[index]!
    const [{ key } = { key: '' }] = apiKeys
    const ask = async <T>(method: string, path: string, body?: object, as = key) => {
      const headers = { 'x-api-key': as, ...(body && { 'content-type': 'application/json' }) }
      const answer = await fetch(baseUrl + path, { method, headers, body: body ? JSON.stringify(body) : null })
      const text = await answer.text()
      return { status: answer.status, body: (text ? JSON.parse(text) : null) as T }
    }
    const create = () => ask<{ taskId: number }>('POST', '/api/v1/signature/tasks', aCreateBody())
    const tasks = async () => (await ask<{ taskId: number; status: string }[]>('GET', '/api/v1/signature/tasks')).body
    const ahead = async () => (await ask<Clock>('GET', '/sandbox/v1/clock')).body.aheadSeconds
    return { baseUrl, key, ask, create, tasks, ahead }
  }

  it('have keys of their own, which open nothing of the other', async () => {
    const [north, south] = [team(0), team(1)]
    expect(north.key).not.to.equal(south.key)
    expect((await north.ask('GET', '/api/v1/signature/tasks', undefined, south.key)).status).to.equal(403)
    expect((await north.ask('POST', '/sandbox/v1/reset', { everything: true }, south.key)).status).to.equal(403)
  })

  it('have clocks, faults, resets, snapshots, and traffic of their own', async () => {
    const [north, south] = [team(0), team(1)]
    expect((await south.create()).status).to.equal(201)
    expect((await south.ask('POST', '/sandbox/v1/snapshots', { name: 'kept' })).status).to.equal(201)

    await north.ask('POST', '/sandbox/v1/clock', { advanceSeconds: 3 * 86_400 })
    expect([await north.ahead(), await south.ahead()]).to.deep.equal([3 * 86_400, 0])
    await north.ask('POST', '/sandbox/v1/faults', {
      on: 'request',
      operation: 'createTask',
      fault: 'refuse',
      status: 503,
    })
    expect([(await north.create()).status, (await south.create()).status]).to.deep.equal([503, 201])
    await north.ask('DELETE', '/sandbox/v1/faults')
    expect((await north.create()).status).to.equal(201)
    expect((await north.ask<unknown[]>('GET', '/sandbox/v1/snapshots')).body).to.deep.equal([])
    expect((await north.ask('POST', '/sandbox/v1/snapshots/kept/restore')).status).to.equal(404)

    // They go on to the signer on their own, so until then the list changes.
    const before = await eventually(async () => {
      const tasks = await south.tasks()
      expect(tasks.map(({ status }) => status)).to.deep.equal(['Pending', 'Pending'])
      return tasks
    })
    expect((await north.ask('POST', '/sandbox/v1/reset', { everything: true })).status).to.equal(204)
    expect(await north.tasks()).to.deep.equal([])
    expect(await south.tasks()).to.deep.equal(before)
    const seen = async (one: typeof north) =>
      (await one.ask<{ count: number }>('GET', '/sandbox/v1/requests?operation=createTask')).body.count
    expect([await seen(north), await seen(south)]).to.deep.equal([0, 2])

    await south.ask('POST', '/sandbox/v1/clock', { advanceSeconds: 60 })
    expect([await north.ahead(), await south.ahead()]).to.deep.equal([0, 60])
    expect((await south.ask('POST', '/sandbox/v1/snapshots/kept/restore')).status).to.equal(204)
    expect(await south.tasks()).to.have.length(1)
  })

  it('list each other, and their sessions do not end each other in one browser', async () => {
    const ports = teams.services.map(({ baseUrl }) => Number(new URL(baseUrl).port))
    for (const [index, { baseUrl }] of teams.services.entries())
      expect(await (await fetch(`${baseUrl}/sandbox/teams`)).json()).to.deep.equal(
        names.map((name, other) => ({ name, port: ports[other], isThis: other === index })),
      )
    const visits = teams.services.map(({ baseUrl }) => aVisit(baseUrl))
    for (const visit of visits) await visit.signInAs('Service operator')
    // A browser sends the cookies of all ports of a host to each of them.
    const cookie = visits.map((visit) => visit.cookie).join('; ')
    const ownNames = visits.map((visit) => visit.cookie.split('=')[0])
    expect(ownNames).to.deep.equal(['countersign-console-north', 'countersign-console-south'])
    for (const { baseUrl } of teams.services) {
      const headers = { cookie, 'x-page-place': 'console' }
      expect((await fetch(`${baseUrl}/sandbox/v1/room`, { headers })).status).to.equal(200)
    }
  })

  it('are started by the command, a line for each, with a folder for each below that of the data', async () => {
    const data = aFolder()
    const args = ['serve', '--port', '0', '--sandbox', '--seed', 'demo', '--data', data, '--teams', 'north, south']
    const served = await listening(args, {}, MAIN)
    const listed = (await (await fetch(`${served.baseUrl}/sandbox/teams`)).json()) as { name: string; port: number }[]
    expect(listed.map(({ name }) => name)).to.deep.equal(names)
    for (const { name, port } of listed) {
      await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).to.equal(200))
      expect(existsSync(join(data, name, 'countersign.sqlite'))).to.equal(true)
    }
    expect(await served.stop()).to.equal(0)
  })

  it('are stopped again where one of them cannot start', async () => {
    const taken = Number(new URL(teams.services[0]!.baseUrl).port)
    const options = ['one', 'two'].map((team) => ({
      ...{ team, data: ':memory:', sandbox: true, createPool: sharedPool },
      port: team === 'two' ? taken : 0,
    }))
    const begun: string[] = []
    const failure = await startTeams(options, async (given) => {
      const service = await createOverheard(given)
      const { start } = service
      return Object.assign(service, {
        async start() {
          await start()
          begun.push(service.baseUrl)
        },
      })
    }).then(String, String)
    expect(failure).to.include(String(taken))
    expect(begun).to.have.length(1)
    expect(
      await fetch(`${begun[0]}/ready`).then(
        ({ status }) => status,
        () => 'gone',
      ),
    ).to.equal('gone')
  })

  for (const [given, says, more = []] of [
    ['North', '"North" is not up to 30 small letters'],
    ['a,,b', '"" is not up to 30 small letters'],
    ['../x', '"../x" is not up to 30 small letters'],
    ['a,a', 'each name once'],
    ['a,b', 'only together with --sandbox', 'production'],
    ['a,b', 'omit --public-url', ['--public-url', 'https://sandbox.example']],
    ['a,b', 'give a folder or :memory:', ['--data', 'postgres://127.0.0.1:1/x']],
    ['a,b,c,d,e,f,g,h,i,j,k', 'at most 10 teams'],
  ] as [string, string, (string[] | 'production')?][])
    it(`are refused as ${given.slice(0, 8)}, because ${says}`, async () => {
      const sandbox = more === 'production' ? [] : ['--sandbox', ...more]
      const environment = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
      const data = more.includes('--data') ? [] : ['--data', ':memory:']
      const { code, stderr } = await countersign(['serve', ...data, ...sandbox, '--teams', given], environment)
      expect(code).not.to.equal(0)
      expect(stderr).to.include('--teams: ').and.to.include(says)
    })
})
