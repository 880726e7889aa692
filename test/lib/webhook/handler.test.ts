/** The receiver behind real servers: node:http and Express, with and without parsers. */
import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect } from 'chai'
import express from 'express'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import type { Journal } from '../../../lib/journal/journal.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { type HandlerOptions, webhookHandler } from '../../../lib/webhook/handler.ts'
import { createOnceStore } from '../../../lib/webhook/once-store.ts'
import { settle } from '../../support/fake-clock.ts'
import { aDelivery, SECRET } from '../support/delivery.ts'

describe('the webhook handler', () => {
  let journal: Journal
  let server: Server | undefined
  let events: StatusEvent[]
  let errors: unknown[]

  beforeEach(async () => {
    journal = await openJournal(':memory:', 'webhook')
    events = []
    errors = []
  })
  afterEach(async () => {
    server?.closeAllConnections()
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
    await journal.close()
  })

  const aHandler = (options: Partial<HandlerOptions> = {}) =>
    webhookHandler({
      secrets: [SECRET],
      store: createOnceStore(journal),
      onEvent: (event) => events.push(event),
      onError: (error) => errors.push(error),
      ...options,
    })

  async function serve(listener: RequestListener): Promise<string> {
    server = createServer(listener)
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  }

  const post = (url: string, { payload, headers } = aDelivery({}, { at: Date.now() })) =>
    fetch(url, { method: 'POST', body: new Uint8Array(payload), headers })

  it('serves node:http', async () => {
    const url = await serve(aHandler())
    const response = await post(url)
    expect(response.status).to.equal(200)
    expect(await response.json()).to.deep.equal({ outcome: 'accepted' })
    expect(events).to.have.length(1)
    expect(await (await post(url)).json()).to.deep.equal({ outcome: 'duplicate' })
  })

  it('verifies the bytes as they came, however they are spaced', async () => {
    const url = await serve(aHandler())
    const { payload, headers } = aDelivery({}, { at: Date.now() })
    const spaced = Buffer.from(JSON.stringify(JSON.parse(payload.toString()), null, 2))
    expect((await post(url, { payload: spaced, headers })).status).to.equal(400)
    expect((await post(url, { payload, headers })).status).to.equal(200)
  })

  describe('in Express', () => {
    it('serves a route of its own', async () => {
      const url = await serve(express().post('/callback', aHandler()))
      expect((await post(url)).status).to.equal(200)
    })

    it('takes the bytes of express.raw()', async () => {
      const url = await serve(
        express()
          .use(express.raw({ type: '*/*' }))
          .post('/callback', aHandler()),
      )
      expect((await post(url)).status).to.equal(200)
    })

    for (const [name, parser] of [
      ['json', express.json()],
      ['text', express.text({ type: '*/*' })],
    ] as const)
      it(`answers 500 behind express.${name}(), and says why`, async () => {
        const url = await serve(express().use(parser).post('/callback', aHandler()))
        const response = await post(url)
        expect(response.status).to.equal(500)
        expect(await response.json()).to.deep.equal({ errors: ['body_already_parsed'] })
        expect(String(errors[0])).to.contain('before every body parser')
      })

    it('is not disturbed by a parser that has nothing to parse', async () => {
      const url = await serve(
        express()
          .use(express.json({ type: 'text/x' }))
          .post('/callback', aHandler()),
      )
      expect((await post(url)).status).to.equal(200)
    })
  })

  it('refuses a header that comes twice', async () => {
    const url = new URL(await serve(aHandler()))
    const { payload, headers } = aDelivery({}, { at: Date.now() })
    const twice = {
      ...headers,
      'X-Service-Signature': [headers['X-Service-Signature']!, headers['X-Service-Signature']!],
    }
    const body = await new Promise<string>((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', headers: twice }, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve(`${response.statusCode} ${text}`)
      })
      request.on('error', reject).end(payload)
    })
    expect(body).to.equal('400 {"errors":["malformed_signature"]}')
  })

  it('refuses more than 64 KiB without reading on', async () => {
    const url = await serve(aHandler())
    const { headers } = aDelivery({}, { at: Date.now() })
    for (const size of [64 * 1024 + 1, 20 * 1024 * 1024]) {
      const response = await post(url, { payload: Buffer.alloc(size), headers })
      expect([response.status, response.headers.get('connection')], `${size} bytes`).to.deep.equal([413, 'close'])
    }
    expect((await post(url)).status, 'the server goes on').to.equal(200)
  })

  it('leaves a request whole that it did not read to the end, for what logs it afterwards', async () => {
    const handler = aHandler()
    const logged: unknown[] = []
    const url = await serve((request, response) => {
      response.once('finish', () => logged.push(request.destroyed, request.socket?.remoteAddress))
      void handler(request, response)
    })
    const { headers } = aDelivery({}, { at: Date.now() })
    expect((await post(url, { payload: Buffer.alloc(64 * 1024 + 1), headers })).status).to.equal(413)
    expect(logged).to.deep.equal([false, '127.0.0.1'])
  })

  it('lets only POST in', async () => {
    const response = await fetch(await serve(aHandler()))
    expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'POST'])
  })

  it('answers 503 with Retry-After when the store is closed', async () => {
    const url = await serve(aHandler())
    await journal.close()
    const response = await post(url)
    expect([response.status, response.headers.get('retry-after')]).to.deep.equal([503, '30'])
  })

  it('survives a sender that hangs up in the middle', async () => {
    const url = new URL(await serve(aHandler()))
    await new Promise<void>((resolve) => {
      const socket = connect(Number(url.port), url.hostname, () => {
        const half = 'POST /callback HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"half'
        // The server, in this process, reads it in its next turn.
        socket.write(half, () => void settle().then(() => socket.resetAndDestroy()))
      })
      socket.on('close', () => resolve()).on('error', () => {})
    })
    expect((await post(url.href)).status).to.equal(200)
    expect(events).to.have.length(1)
  })
})
