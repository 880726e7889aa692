/** Strangers who have large documents verified without end, and senders beside them, who notice nothing of it. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { MAX_ATTACHMENT_BYTES } from '../../server/choices.ts'
import { aClient } from '../support/a-client.ts'
import { aFolder } from '../support/a-folder.ts'
import { aTask, SIGNER } from '../support/a-task.ts'
import { costlyToVerify } from '../support/costly-pdf.ts'
import { type Served, serve } from '../support/served.ts'

const STRANGERS = ['198.51.100.1', '203.0.113.9', '2001:db8:0:1::7']
const LASTS_MS = 12_000
const P95_LIMIT_MS = 200
const MEMORY_LIMIT_BYTES = 1e9

describe('strangers who verify large documents without end', () => {
  let served: Served
  before(async () => {
    served = await serve(['--data', aFolder(), '--sandbox', '--seed', 'demo', '--trust-proxy', '127.0.0.1'])
  })
  after(() => served?.stop())

  it('do not hold up those who send, nor take the memory', async function () {
    this.timeout(90_000)
    const { baseUrl, apiKeys, pid } = served
    const client = aClient({ baseUrl, apiKey: apiKeys[0]!.key })
    const create = () => client.createTask({ body: aTask({ performer: { signer: { userNPI: SIGNER.calder } } }) })
    const costly = costlyToVerify(await aSealed(client), MAX_ATTACHMENT_BYTES)

    let isOver = false
    const answers: number[] = []
    const verifying = STRANGERS.map(async (address) => {
      while (!isOver) {
        const headers = { 'content-type': 'application/pdf', origin: baseUrl, 'x-forwarded-for': address }
        const { status } = await fetch(`${baseUrl}/verify/api/document`, { method: 'POST', headers, body: costly })
        answers.push(status)
        if (status !== 200) await pause(250)
      }
    })
    await pause(1_000)
    const waits: number[] = []
    for (const until = performance.now() + LASTS_MS; performance.now() < until; await pause(50)) {
      const asked = performance.now()
      await create()
      waits.push(performance.now() - asked)
    }
    isOver = true
    await Promise.all(verifying)

    waits.sort((a, b) => a - b)
    const p95 = waits[Math.floor(waits.length * 0.95)]!
    const peak = peakOf(pid)
    console.log(
      `      ${waits.length} creates, p95 ${Math.round(p95)} ms, longest ${Math.round(waits.at(-1)!)} ms; ` +
        `${answers.length} verifications, peak ${Math.round(peak / 1e6)} MB`,
    )
    expect(answers.length, 'verifications that were answered').to.be.greaterThan(0)
    expect(p95, 'p95 in ms').to.be.lessThan(P95_LIMIT_MS)
    expect(peak, 'peak of memory').to.be.lessThan(MEMORY_LIMIT_BYTES)
  })

  async function aSealed(client: ReturnType<typeof aClient>): Promise<Buffer> {
    const { taskId } = await client.createTask({ body: aTask({ performer: { signer: { userNPI: SIGNER.calder } } }) })
    for (const until = Date.now() + 20_000; Date.now() < until; await pause(50)) {
      const { status } = await client.readTask({ params: { id: taskId } })
      if (status === 'Pending') break
    }
    const headers = { 'x-api-key': served.apiKeys[0]!.key, 'content-type': 'application/json' }
    const path = `${served.baseUrl}/sandbox/v1/tasks/${taskId}/sign`
    expect((await fetch(path, { method: 'POST', headers, body: '{}' })).status).to.equal(204)
    const { output } = await client.readTask({ params: { id: taskId }, query: { includeOutputAttachment: true } })
    return Buffer.from(output!.attachment!, 'base64')
  }
})

/** The most memory that the process had, in bytes; 0 where the system does not tell. */
function peakOf(pid: number): number {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}
