/**
 * Tries whether callbacks can reach the webhook nodes of a service: posts to each public URL from here, and sees whether the post
 * comes back to this Node-RED. Starts no flow.
 */
import type { Config, Runtime } from '../runtime/node-red.ts'
import { beginRoundTrip } from '../runtime/round-trips.ts'
import { filledIn } from './filled-in.ts'
import { bad, good, type Row } from './row.ts'

/** @param id the configuration node, whose webhook nodes are tried as they are deployed */
export async function tryCallbacks(runtime: Runtime, id: string, timeoutMs: number): Promise<Row[]> {
  const webhooks: Config[] = []
  runtime.nodes.eachNode((node) => {
    if (node.type === 'countersign-webhook-in' && node.service === id && node.publicUrl && !node.d) webhooks.push(node)
  })
  return Promise.all(webhooks.map((webhook) => tryOne(runtime, webhook, timeoutMs)))
}

async function tryOne(runtime: Runtime, webhook: Config, timeoutMs: number): Promise<Row> {
  const { publicUrl, path } = await filledIn(runtime, webhook)
  const where = `/${String(path).replace(/^\//, '')}: `
  const trip = beginRoundTrip()
  try {
    const response = await fetch(String(publicUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: trip.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if ((await response.text()) === trip.reply)
      return good('callback', `${where}a post to the public URL arrives here.`)
    return bad('callback', where + otherAnswer(response.status))
  } catch (failure) {
    return bad('callback', where + noAnswer(failure))
  } finally {
    trip.end()
  }
}

function otherAnswer(status: number): string {
  const said = `something else answered the public URL (status ${status}).`
  if (status === 401 || status === 403)
    return `${said} A proxy or httpNodeAuth asks for a password, which the service does not have. Let posts to this path pass.`
  if (status >= 300 && status < 400)
    return `${said} It redirects, and callbacks follow no redirect. Enter the address that it leads to.`
  return `${said} Check its host and path, and that the proxy in front passes posts on to this Node-RED.`
}

function noAnswer(failure: unknown): string {
  const { name, cause } = failure as Error & { cause?: NodeJS.ErrnoException }
  const code = name === 'TimeoutError' ? 'ETIMEDOUT' : (cause?.code ?? 'ERR_NETWORK')
  return `the public URL cannot be reached from here (${code}). Check its name, its certificate and the proxy in front. If only machines outside can reach it, the service may all the same.`
}
