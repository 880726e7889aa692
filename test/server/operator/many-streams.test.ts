/** More streams of changes than one key, or one organization, may hold open: who is refused, and what others notice. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { CONSOLE_STREAMS } from '../../../server/choices.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { called } from '../../support/commands/called.ts'
import { eventually } from '../../support/eventually.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

interface Made {
  keyId: string
  key: string
}

interface Asked {
  status: number
  retryAfter: string | undefined
  stream: IncomingMessage
  text(): string
  /** Ends the connection without a word. */
  leave(): void
}

describe('Streams of changes', function () {
  this.timeout(120_000)
  const data = aFolder()
  let service: TestService
  let operator: Visit
  const open: Asked[] = []
  before(async () => {
    service = await aService({ data })
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
  })
  afterEach(() => {
    for (const { leave } of open.splice(0)) leave()
  })
  after(() => service.stop())

  async function aKey(...args: string[]): Promise<Made> {
    const all = ['operator-keys', 'create', ...args, '--data', data, '--sandbox', '--json']
    const { stdout, stderr } = await called(all)
    expect(stderr).to.equal('')
    return JSON.parse(stdout) as Made
  }
  const ofOrganization = () => aKey('--organization', 'Willow Creek Home Health')

  async function follow(headers: Record<string, string>): Promise<Asked> {
    const request = get(`${service.baseUrl}/admin/v1/changes`, { headers, agent: false })
    request.on('error', () => {})
    const [stream] = (await once(request, 'response')) as [IncomingMessage]
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    stream.on('error', () => {})
    const asked: Asked = {
      status: stream.statusCode ?? 0,
      retryAfter: stream.headers['retry-after'],
      stream,
      text: () => text,
      leave: () => request.destroy(),
    }
    open.push(asked)
    return asked
  }
  const withKey = ({ key }: Made) => follow({ 'x-api-key': key })
  const followMany = (count: number, key: Made) => Promise.all(Array.from({ length: count }, () => withKey(key)))
  const statuses = (all: readonly Asked[]) => {
    const counts: Record<number, number> = {}
    for (const { status } of all) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }

  it('of one key are six, the others are refused with what to do, and others notice nothing', async () => {
    const key = await ofOrganization()
    const all = await followMany(300, key)
    expect(statuses(all)).to.deep.equal({ 200: CONSOLE_STREAMS.each, 503: 300 - CONSOLE_STREAMS.each })
    const refused = all.find(({ status }) => status === 503)!
    await eventually(() => expect(refused.text()).to.match(/}$/))
    expect(refused.retryAfter).to.equal('5')
    expect(JSON.parse(refused.text())).to.deep.equal({
      errors: [
        'Too many streams of changes are open. Close those not in use; one is enough for a program, and one for each open page.',
      ],
    })
    // Of another organization.
    const list = await service.ask('GET', '/api/v1/signature/tasks?limit=1', { key: service.otherKey })
    expect(list.status).to.equal(200)
    const page = await follow({ cookie: operator.cookie })
    expect(page.status).to.equal(200)
    const ready = () => service.ask('GET', '/ready', { key: null })
    const { status, body } = await ready()
    expect([status, body]).to.deep.equal([
      200,
      {
        status: 'ready',
        warnings: ['streams: /admin/v1/changes refuses more to 1 caller that holds all places allowed'],
      },
    ])
    for (const { leave } of open.splice(0)) leave()
    await eventually(async () => expect((await ready()).body).to.deep.equal({ status: 'ready' }))
  })

  it('are free again however a connection ends, each once', async () => {
    const key = await ofOrganization()
    for (let round = 0; round < 3; round++) {
      await eventually(async () => {
        const all = await followMany(CONSOLE_STREAMS.each, key)
        for (const stream of all) if (stream.status !== 200) stream.leave()
        if (all.some(({ status }) => status !== 200)) for (const stream of all) stream.leave()
        expect(statuses(all)).to.deep.equal({ 200: CONSOLE_STREAMS.each })
      })
      expect((await withKey(key)).status).to.equal(503)
      for (const [index, { stream, leave }] of open.splice(0).entries())
        if (index % 2 === 0) leave()
        else stream.socket.resetAndDestroy()
    }
    // A caller who has gone before the answer takes no place.
    for (let count = 0; count < 50; count++)
      get(`${service.baseUrl}/admin/v1/changes`, { headers: { 'x-api-key': key.key }, agent: false })
        .on('error', () => {})
        .on('socket', (socket) => socket.once('connect', () => setImmediate(() => socket.destroy())))
    await eventually(async () => {
      const all = await followMany(CONSOLE_STREAMS.each, key)
      if (all.some(({ status }) => status !== 200)) for (const stream of all) stream.leave()
      expect(statuses(all)).to.deep.equal({ 200: CONSOLE_STREAMS.each })
    })
  })

  it('of one organization have a limit, too, for all of its keys together', async () => {
    const keys: Made[] = []
    for (let made = 0; made <= CONSOLE_STREAMS.group / CONSOLE_STREAMS.each; made++) keys.push(await ofOrganization())
    await eventually(async () => {
      for (const { leave } of open.splice(0)) leave()
      const all = (await Promise.all(keys.slice(0, -1).map((key) => followMany(CONSOLE_STREAMS.each, key)))).flat()
      expect(statuses(all)).to.deep.equal({ 200: CONSOLE_STREAMS.group })
    })
    expect((await withKey(keys.at(-1)!)).status).to.equal(503)
    const whole = await aKey('--description', 'Nightly job')
    expect((await withKey(whole)).status).to.equal(200)
  })

  it('end with the key that was revoked, and not with another one', async () => {
    const [ending, staying] = [await ofOrganization(), await ofOrganization()]
    const streams = [await withKey(ending), await withKey(staying)] as const
    expect(streams.map(({ status }) => status)).to.deep.equal([200, 200])
    const { code } = await called(['operator-keys', 'revoke', ending.keyId, '--data', data])
    expect(code).to.equal(0)
    await eventually(() => expect(streams[0].stream.readableEnded).to.equal(true))
    expect(streams[1].stream.readableEnded).to.equal(false)
    expect((await withKey(ending)).status).to.equal(403)
  })

  it('end when the organization of their key is no longer active', async () => {
    const stream = await withKey(await ofOrganization())
    expect(stream.status).to.equal(200)
    const { body } = await operator.ask<{ id: number; name: string }[]>('GET', '/admin/v1/organizations')
    const { id } = body.find(({ name }) => name === 'Willow Creek Home Health')!
    const changed = await operator.ask('PATCH', `/admin/v1/organizations/${id}`, { isActive: false })
    expect(changed.status, changed.errors.join()).to.be.below(300)
    await eventually(() => expect(stream.stream.readableEnded).to.equal(true))
    await operator.ask('PATCH', `/admin/v1/organizations/${id}`, { isActive: true })
  })
})
