/** What an open inbox is told of, and when it is told no more. */
import { expect } from 'chai'
import { INBOX_STREAMS, SESSION_IDLE_MS } from '../../../server/choices.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { listenTo, type ServerSent } from '../../support/network/server-sent.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

describe('an open inbox', () => {
  const clock = runningClock()
  let service: TestService
  const open: ServerSent[] = []
  before(async () => {
    service = await aService({ clock })
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((stream) => stream.leave()))
  })
  after(() => service.stop())

  async function signedIn(name = 'Ruth Calder DO'): Promise<Visit> {
    const visit = aVisit(service.baseUrl)
    await visit.signInAs(name)
    return visit
  }
  async function follow({ cookie }: Visit): Promise<ServerSent> {
    const stream = await listenTo(`${service.baseUrl}/inbox/api/changes`, { cookie })
    open.push(stream)
    return stream
  }
  /** One that has been told for the first time. */
  async function followed(visit: Visit): Promise<ServerSent> {
    const stream = await follow(visit)
    await stream.told(1)
    return stream
  }
  const sent = async (npi: string = SIGNER.calder) => {
    const taskId = await service.create(aCreateBody({ performer: { signer: { userNPI: npi } } }))
    await service.reaches(taskId, 'Pending')
    return taskId
  }

  it('is told at its beginning, of what comes, is withdrawn, signed and rejected, and never what it is', async () => {
    const stream = await followed(await signedIn())
    expect(stream.headers.get('content-type')).to.equal('text/event-stream')
    expect(stream.headers.get('x-accel-buffering')).to.equal('no')
    const ends = [
      (id: number) => service.client.retractTask({ params: { id }, query: { reason: 'Sent twice' } }),
      (id: number) => service.signs(id),
      (id: number) => service.rejects(id),
    ]
    for (const end of ends) {
      const before = stream.count()
      const taskId = await sent()
      await stream.told(before + 1)
      await end(taskId)
      await stream.told(before + 2)
    }
    // A heartbeat is a comment.
    expect(stream.heard()).to.match(/^retry: 5000\n\n(event: changed\ndata:\n\n|:\n\n)+$/)
  })

  it('is not told of what others get', async () => {
    const [mine, theirs] = await Promise.all(
      [signedIn(), signedIn('Ian Voss MD')].map(async (of) => followed(await of)),
    )
    await sent()
    await mine!.told(2)
    expect(theirs!.count()).to.equal(1)
  })

  it('is told no more once its signer has signed out, or was idle for too long', async () => {
    const [out, idle] = [await signedIn(), await signedIn('Ian Voss MD')]
    const streams = [await followed(out), await followed(idle)] as const
    await out.signOut()
    await streams[0].ended()
    expect(streams[1].isOver()).to.equal(false)
    clock.advance(SESSION_IDLE_MS)
    await streams[1].ended()
    expect((await follow(idle)).status).to.equal(401)
  })

  it('keeps no session alive by listening, nor by what the page asks by itself', async () => {
    const visit = await signedIn()
    const ask = (change = {}) => visit.ask('GET', '/inbox/api/documents', undefined, change)
    clock.advance(SESSION_IDLE_MS - 5_000)
    await followed(visit)
    expect((await ask({ 'x-page-unattended': '1' })).status).to.equal(200)
    clock.advance(6_000)
    expect((await ask()).status).to.equal(401)
  })

  it('is refused where a session has too many, with what to do, until one is closed', async () => {
    const visit = await signedIn()
    const streams = await Promise.all(Array.from({ length: INBOX_STREAMS.each }, () => follow(visit)))
    expect(streams.map(({ status }) => status)).to.deep.equal(streams.map(() => 200))
    const refused = await visit.ask('GET', '/inbox/api/changes')
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '5'])
    expect(refused.errors[0]).to.match(/^Too many inboxes are open\./)
    expect((await follow(await signedIn())).status).to.equal(200)
    await streams[0]!.leave()
    await eventually(async () => expect((await follow(visit)).status).to.equal(200))
  })

  it('does not hold up a stop', async () => {
    const other = await aService()
    const visit = aVisit(other.baseUrl)
    await visit.signInAs('Ruth Calder DO')
    const stream = await listenTo(`${other.baseUrl}/inbox/api/changes`, { cookie: visit.cookie })
    const asked = performance.now()
    await other.stop()
    expect(performance.now() - asked).to.be.below(3_000)
    await stream.ended()
  })
})
