/**
 * A message over MLLP that no order can be made of is held, corrected and resent, and Node-RED is killed between the steps: one task
 * comes of each message, of the corrected one, and nothing stays held.
 */
import { expect } from 'chai'
import { eventually } from '../../eventually.ts'
import { aSender } from '../../hl7/mllp-peers.ts'
import { freePort } from '../../network/free-port.ts'
import { patience } from '../../patience.ts'
import { randomFrom } from '../../random.ts'
import { type HostedService, hostedService } from '../../service/hosted-service.ts'
import { bridge, corrected, heldAt, unusable } from '../held-bridge.ts'
import { type NodeRed, startNodeRed } from '../node-red.ts'

/** What has just happened to the message when Node-RED is killed. */
export const STEPS = ['answered', 'held', 'corrected', 'resent', 'created'] as const
export type Step = (typeof STEPS)[number]

/** The steps of a message at which Node-RED is killed. */
export type Round = readonly Step[]

/** Each step alone, and then any of them. */
export function roundsOf(count: number, seed: number): Round[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, index) =>
    index < STEPS.length ? [STEPS[index]!] : STEPS.filter(() => random.isSo()),
  )
}

interface Stage {
  red: NodeRed
  service: HostedService
  port: number
}

/** Returns the Node-RED that runs in the end. @param documentId of the message, which no other one has */
export async function heldAtSteps(round: Round, { red, service, port }: Stage, documentId: string): Promise<NodeRed> {
  let running = red
  const tasks = () => service.client.listTasks({ query: { externalDocId: `EPIC|${documentId}` } })
  const row = () =>
    eventually(async () => {
      const found = (await heldAt(running).rows()).find(({ controlId }) => controlId === documentId)
      expect(found, `${documentId} is held`).to.not.equal(undefined)
      return found!
    })
  const steps: Record<Step, () => Promise<unknown>> = {
    async answered() {
      const sender = aSender(port)
      expect(await sender.send(unusable(documentId))).to.include({ code: 'AA' })
      sender.close()
    },
    held: row,
    async corrected() {
      const { heldId } = await row()
      const text = corrected(await heldAt(running).text(heldId))
      expect(await heldAt(running).post(heldId, 'edit', { text })).to.include({ status: 200 })
    },
    async resent() {
      expect(await heldAt(running).post((await row()).heldId, 'resend')).to.include({ status: 200 })
    },
    created: () => eventually(async () => expect(await tasks()).to.have.length(1), patience(30_000)),
  }
  for (const step of STEPS) {
    await steps[step]()
    if (!round.includes(step)) continue
    await running.kill()
    running = await startNodeRed({ userDir: running.userDir, port: running.port })
    await running.statusOf('in', /^listening/)
  }
  await eventually(async () => expect(await heldAt(running).rows()).to.deep.equal([]))
  expect(await tasks()).to.have.length(1)
  return running
}

/** Each round with a message of its own, in one Node-RED. @param seed names the messages */
export async function heldAtAllSteps(rounds: readonly Round[], seed: number): Promise<void> {
  const service = await hostedService()
  const port = await freePort()
  let red = await startNodeRed()
  try {
    await red.deploy(bridge(service.node(), port))
    await red.statusOf('in', /^listening/)
    for (const [index, round] of rounds.entries())
      red = await heldAtSteps(round, { red, service, port }, `DOC-${seed}-${index}`)
    console.log(`      ${rounds.length} messages, ${rounds.flat().length} kills, a task of each (seed ${seed})`)
  } finally {
    await red.stop()
    await service.stop()
  }
}
