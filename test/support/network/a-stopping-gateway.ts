/** A server in front of the service that can stop one call, before it is passed on or before its answer is, or refuse one. */
import { createServer, type IncomingMessage, request as passOn, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

export interface Asked {
  method: string
  url: string
  body: string
}

export interface Answered extends Asked {
  status: number
}

type Where = 'before' | 'after'

export async function aStoppingGateway(service: string) {
  let target = service
  const answered: Answered[] = []
  let stop: { where: Where; matches: (asked: Asked) => boolean; isReached: () => void } | undefined
  let stopped: { response: ServerResponse; go: () => void }[] = []
  let isRefused: ((asked: Asked) => boolean) | undefined

  /** Resolves at once, unless the call is to be stopped here. */
  const passes = (where: Where, asked: Asked, response: ServerResponse) =>
    new Promise<void>((go) => {
      if (stop?.where !== where || !stop.matches(asked)) return go()
      stopped.push({ response, go })
      stop.isReached()
      stop = undefined
    })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const body = Buffer.concat(await request.toArray())
    const asked = { method, url, body: body.toString() }
    await passes('before', asked, response)
    // Who has gone meanwhile has taken the call along.
    if (request.socket.destroyed) return
    if (isRefused?.(asked)) {
      isRefused = undefined
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ errors: ['refused here'] }))
      return
    }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const passed = passOn(target + url, { method, headers }, resolve)
        .on('error', reject)
        .end(body)
      // A sender that hangs up does so at the service, too. Other calls go on, so that their answers are counted.
      if (method === 'POST') response.once('close', () => passed.destroy())
    })
    answered.push({ ...asked, status: answer.statusCode! })
    await passes('after', asked, response)
    response.writeHead(answer.statusCode!, answer.headers)
    await pipeline(answer, response)
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    /** The calls that the service has answered. */
    answered: answered as readonly Answered[],
    /** Stops the next call that matches, and resolves when it has come. */
    stopAt: (where: Where, matches: (asked: Asked) => boolean) =>
      new Promise<void>((isReached) => {
        stop = { where, matches, isReached }
      }),
    /** Refuses the next call that matches. */
    refuseNext(matches: (asked: Asked) => boolean) {
      isRefused = matches
    },
    /** Lets go what was stopped. */
    release() {
      for (const { go } of stopped) go()
      stopped = []
    },
    /** Ends what was stopped without an answer. */
    cut() {
      for (const { response } of stopped) response.destroy()
      this.release()
    },
    /** Passes on to another service from now on. */
    leadTo(other: string) {
      target = other
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type StoppingGateway = Awaited<ReturnType<typeof aStoppingGateway>>
