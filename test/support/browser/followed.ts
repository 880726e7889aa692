/** The connection over which an open page of the console hears of changes. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { TestService } from '../service/a-service.ts'

/** Long enough for the service to look once more whether the session lasts. */
const CHECKED_MS = 2_500

export async function followed(service: Pick<TestService, 'baseUrl'>, cookie: string): Promise<IncomingMessage> {
  const asked = get(`${service.baseUrl}/admin/v1/changes`, { headers: { cookie } })
  const [stream] = (await once(asked, 'response')) as [IncomingMessage]
  expect(stream.statusCode).to.equal(200)
  return stream.setEncoding('utf8').resume()
}

export const endsSoon = async (stream: IncomingMessage): Promise<boolean> =>
  stream.readableEnded || Promise.race([once(stream, 'end').then(() => true), pause(CHECKED_MS, false)])
