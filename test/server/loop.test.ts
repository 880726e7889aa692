/** The thread that serves everybody is never held up for long by one request, not even by the largest documents. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { largeOrder } from '../../scripts/soak/large-order.ts'
import { MAX_ATTACHMENT_BYTES } from '../../server/choices.ts'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import { aClient } from '../support/service/a-client.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { type Served, serve } from '../support/service/served.ts'

const DOCUMENTS = 2
/** Of the processor. No turn should take 50; the memory of a busy machine is slow. */
const LIMIT_MS = 60
const SPY = join(import.meta.dirname, '../support/load/turns-of-loop.ts')

if (process.platform === 'linux')
  describe('the loop of a service', function () {
    this.timeout(300_000)
    let served: Served | undefined
    after(() => served?.stop())

    it(`is not held up for ${LIMIT_MS} ms by documents of 25 MiB: received, placed, signed and read`, async () => {
      const file = join(aFolder(), 'turns.json')
      const environment = { NODE_OPTIONS: `--import ${SPY}`, TURNS_FILE: file }
      served = await serve(['--data', aFolder(), '--sandbox', '--seed', 'demo'], environment)
      const { pid, apiKeys, baseUrl } = served
      const client = aClient({ baseUrl, apiKey: apiKeys[0]!.key })
      const attachment = Buffer.from(await largeOrder(MAX_ATTACHMENT_BYTES - 200_000)).toString('base64')
      // Modules that are loaded with the first document hold it up once.
      await client.createTask({ body: aCreateBody() })
      await client.listTasks({})

      process.kill(pid, 'SIGUSR2')
      for (let n = 0; n < DOCUMENTS; n++) {
        const { taskId } = await client.createTask({ body: aCreateBody({ document: { attachment } }) })
        const read = (includeOutputAttachment: boolean) =>
          client.readTask({ params: { id: taskId }, query: { includeOutputAttachment } })
        await eventually(async () => expect((await read(false)).status).to.equal('Pending'), 60_000)
        const signed = await fetch(`${baseUrl}/sandbox/v1/tasks/${taskId}/sign`, {
          method: 'POST',
          headers: { 'x-api-key': apiKeys[0]!.key, 'content-type': 'application/json' },
          body: '{}',
        })
        expect(signed.status, await signed.text()).to.equal(204)
        expect((await read(true)).output!.attachment!.length).to.be.greaterThan(attachment.length)
      }
      process.kill(pid, 'SIGUSR2')
      await eventually(() => expect(existsSync(file)).to.equal(true))
      const { longestMs } = JSON.parse(readFileSync(file, 'utf8')) as { longestMs: number }
      expect(longestMs, 'ms of the processor in one turn').to.be.within(1, LIMIT_MS)
    })
  })
