/** The connection over which open pages hear of changes: not after each of a burst, and no burden for a service that stops. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { aService, type TestService } from '../../support/a-service.ts'
import { aTask } from '../../support/a-task.ts'
import { aVisit } from '../../support/a-visit.ts'

const GATHER_MS = 250

describe('an open page of the console', () => {
  let service: TestService
  let stream: IncomingMessage
  let text = ''
  before(async () => {
    service = await aService()
    const visit = aVisit(service.baseUrl)
    await visit.signInAs('Service operator')
    const asked = get(`${service.baseUrl}/console/api/changes`, { headers: { cookie: visit.cookie } })
    ;[stream] = (await once(asked, 'response')) as [IncomingMessage]
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  })

  it('hears of a burst of changes once in a while', async () => {
    const began = performance.now()
    await Promise.all(Array.from({ length: 12 }, () => service.create(aTask())))
    await pause(3 * GATHER_MS)
    const told = text.split('event: changed').length - 1
    expect(told).to.be.within(1, Math.ceil((performance.now() - began) / GATHER_MS))
  })

  it('is told the end by a service that stops, which does not wait for it', async () => {
    const ended = once(stream, 'end')
    const began = performance.now()
    await service.stop()
    await ended
    expect(performance.now() - began).to.be.below(4_000)
  })
})
