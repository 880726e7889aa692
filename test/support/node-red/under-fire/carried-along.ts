/** Messages that wait while Node-RED is deployed anew or killed: each comes back with all that it had. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '../../eventually.ts'
import { type HostedService, hostedService } from '../../service/hosted-service.ts'
import { anOrder } from '../../service/order.ts'
import { signsAll } from '../../service/signs-all.ts'
import { createTask, flow, wait } from '../flow.ts'
import { type NodeRed, startNodeRed } from '../node-red.ts'

export type Interruption = 'a full deploy' | 'a kill' | 'a full deploy and a kill'

/** About 2 kB, as an analyst keeps them for the reply to the sender. */
const properties = (of: number) => ({
  hl7: `MSH|^~\\&|WILLOW|${randomBytes(700).toString('hex')}|`,
  mrn: `MRN-${of}-${randomBytes(8).toString('hex')}`,
  replyTo: { topic: `orders/${of}`, parts: [of, null, true, 'à la carte'], retain: false },
  payload: { order: of, lines: randomBytes(200).toString('hex') },
})

/** At each interruption: lets `count` messages wait, interrupts Node-RED, has all tasks signed, and checks each message that comes. */
export async function carriedAlong(count: number, interruptions: readonly Interruption[]): Promise<void> {
  const service = await hostedService()
  const nodes = (name: string) => flow(service.node({ name, concurrency: '10' }), ...createTask(), ...wait({ name }))
  let red = await startNodeRed()
  try {
    await red.deploy(nodes('before'))
    for (const interruption of interruptions) {
      const waiting = await waitsWith(red, service, count)
      expect(journalOf(red), 'what is carried is sealed').to.not.match(/MSH\||MRN-/)
      if (interruption !== 'a kill') await red.deploy(nodes(interruption), 'full')
      if (interruption !== 'a full deploy') {
        await red.kill()
        red = await startNodeRed({ userDir: red.userDir, port: red.port })
      }
      await red.statusOf('wait', `${count} waiting`)
      await signsAll(service, [...waiting.keys()])
      for (let come = 0; come < count; come += 1) {
        const { taskId, ...message } = await red.next('wait.0', () => true, 30_000)
        const expected = { ...waiting.get(taskId as number), status: 'Completed' }
        expect(message, `after ${interruption}`).to.deep.include(expected)
        waiting.delete(taskId as number)
      }
      expect([...waiting.keys()], `no outcome came twice after ${interruption}`).to.deep.equal([])
    }
    expect(red.waiting('caught')).to.deep.equal([])
  } finally {
    await red.stop()
    await service.stop()
  }
}

/** What each message had that waits, by its task. */
async function waitsWith(red: NodeRed, service: HostedService, count: number) {
  const waiting = new Map<number, object>()
  for (let sent = 0; sent < count; sent += 1) red.inject('create', anOrder())
  while (waiting.size < count) {
    const carried = properties(waiting.size)
    waiting.set((await red.next('create.0', () => true, 30_000)).taskId as number, carried)
  }
  for (const [taskId, carried] of waiting) red.inject('wait', { taskId, ...carried })
  await red.statusOf('wait', `${count} waiting`)
  // Nobody signs a document that is not in the inbox yet.
  const query = { status: 'Pending', limit: 500 } as const
  await eventually(async () => expect(await service.client.listTasks({ query })).to.have.length(count), 60_000)
  return waiting
}

/** All that the journals of a Node-RED hold on the disk. */
function journalOf({ userDir }: NodeRed): string {
  const folder = join(userDir, 'countersign')
  const files = readdirSync(folder).filter((name) => name.startsWith('journal-'))
  expect(files).to.not.deep.equal([])
  return files.map((name) => readFileSync(join(folder, name), 'latin1')).join('')
}
