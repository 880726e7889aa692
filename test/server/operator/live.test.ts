/**
 * The connection over which open pages receive changes, for as long as the session lasts. It does not delay a service that stops.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { SESSION_IDLE_MS } from '../../../server/choices.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { endsSoon, followed } from '../../support/browser/followed.ts'
import { eventually } from '../../support/eventually.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

describe('an open page of the console', () => {
  let service: TestService
  let stream: IncomingMessage
  let text = ''
  before(async () => {
    service = await aService()
    const visit = aVisit(service.baseUrl)
    await visit.signInAs('Service operator')
    stream = await followed(service, visit.cookie)
    stream.on('data', (chunk: string) => {
      text += chunk
    })
  })

  it('receives changes', async () => {
    await service.create(aCreateBody())
    await eventually(() => expect(text).to.include('event: changed'))
  })

  it('is ended by a service that stops, which does not wait for it', async () => {
    // A connection that the service had to cut off would end with an error instead.
    const ended = once(stream, 'end')
    await service.stop()
    await ended
  })
})

describe('the connection of an open page', () => {
  const clock = runningClock()
  const data = aFolder()
  let service: TestService
  before(async () => {
    service = await aService({ data, clock })
  })
  after(() => service.stop())

  const signedIn = async () => {
    const visit = aVisit(service.baseUrl)
    await visit.signInAs('Service operator')
    return visit
  }

  it("ends when its visitor signs out, and nobody else's does", async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    const [ending, staying] = [await followed(service, one.cookie), await followed(service, other.cookie)]
    await one.signOut()
    expect(await endsSoon(ending)).to.equal(true)
    // The service looks at all sessions at once, so the other one was seen to last.
    let heard = ''
    staying.on('data', (chunk: string) => {
      heard += chunk
    })
    await service.create(aCreateBody())
    await eventually(() => expect(heard).to.include('event: changed'))
    staying.destroy()
  })

  it('ends when the session is ended from another process', async () => {
    const stream = await followed(service, (await signedIn()).cookie)
    const database = new DatabaseSync(join(data, 'countersign.sqlite'))
    database.exec('DELETE FROM session')
    database.close()
    expect(await endsSoon(stream)).to.equal(true)
  })

  it('ends when its visitor has another role', async () => {
    const stream = await followed(service, (await signedIn()).cookie)
    const database = new DatabaseSync(join(data, 'countersign.sqlite'))
    database.exec("UPDATE person SET role = 'signer', npi = '9999900035' WHERE role = 'operator'")
    const hasEnded = await endsSoon(stream)
    // The service records the refusal of the row, and holds the database while it does.
    await eventually(async () =>
      database.exec("UPDATE person SET role = 'operator', npi = NULL WHERE name = 'Service operator'"),
    )
    database.close()
    expect(hasEnded).to.equal(true)
  })

  it('ends when nobody used the page for too long', async () => {
    const stream = await followed(service, (await signedIn()).cookie)
    clock.advance(SESSION_IDLE_MS)
    expect(await endsSoon(stream)).to.equal(true)
  })
})
