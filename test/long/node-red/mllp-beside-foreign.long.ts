/**
 * `npm run test:long`: 200 messages of 2 kB a second for 30 s over 8 connections, to mllp in of a real Node-RED, which stores each before it
 * answers, and to two servers that others wrote and that store nothing. `SECONDS=…` sends for another time.
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { sendInTime } from '../../support/load/mllp-in-time.ts'
import { freePort } from '../../support/network/free-port.ts'
import { aNodeRed } from '../../support/node-red/a-node-red.ts'
import { done, embedded, flow, mllpIn } from '../../support/node-red/flow.ts'
import { forked } from '../../support/processes.ts'

const seconds = Number(process.env.SECONDS ?? 30)
const RATE = { perSecond: 200, seconds, connections: 8, bytes: 2000 }

describe(`${RATE.perSecond} messages a second over MLLP, for ${seconds} s`, () => {
  it('are all answered by their own ids by mllp in, which has each on the disk', async () => {
    const port = await freePort()
    const red = await aNodeRed()
    try {
      await red.deploy(flow(embedded(), ...mllpIn(port), ...done()))
      await red.statusOf('in', /^listening/)
      const answered = await sendInTime({ ...RATE, port })
      console.log('      mllp in', JSON.stringify(answered))
      expect(answered).to.include({ accepted: answered.sent, others: 0 })
    } finally {
      await red.stop()
    }
  })

  for (const name of ['medplum', 'node-hl7-server'])
    it(`are sent to ${name} for comparison`, async () => {
      const server = forked(fileURLToPath(new URL('../../support/load/foreign-mllp.ts', import.meta.url)), [name])
      try {
        const [{ port }] = (await once(server, 'message')) as [{ port: number }]
        const answered = await sendInTime({ ...RATE, port })
        console.log(`      ${name}`, JSON.stringify(answered))
        expect(answered.sent).to.equal(RATE.perSecond * seconds)
      } finally {
        server.kill()
        await once(server, 'exit')
      }
    })
})
