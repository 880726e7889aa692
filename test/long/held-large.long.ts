/** `npm run test:long`: what a person does with held messages of 32 MB, and how long each act keeps the event loop busy at a time. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { systemClock } from '../../lib/clock.ts'
import { sealOf } from '../../nodes/shared/carry/seal-of.ts'
import { type HeldQueue, openHeldQueue } from '../../nodes/shared/held/held-queue.ts'
import { openIntake } from '../../nodes/shared/intake/intake.ts'
import { intakeId, listenForTaken } from '../../nodes/shared/intake/taken.ts'
import { largePayload, largeTextInJson } from '../../nodes/shared/large/in-thread.ts'
import { createResend } from '../../nodes/shared/mllp/resend.ts'
import type { Orphan } from '../../nodes/shared/orphans/orphan.ts'
import { emptyQueue } from '../../nodes/shared/orphans/queue-orphans.ts'
import type { Message, Runtime } from '../../nodes/shared/runtime/node-red.ts'
import { aFolder } from '../support/a-folder.ts'
import { workOfThread } from '../support/load/work-of-thread.ts'

const SIZE = 32 * 1024 * 1024 - 4096
const MOST_MS = 200
const ROUNDS = 3
const HEADER = 'MSH|^~\\&|A|A|B|B|20260101||MDM^T02|1|P|2.5.1\r'
const SHAPES: Record<string, (size: number) => Buffer> = {
  'a document': (size) => filled(`OBX|1|ED|||^^^Base64^${'QUJD'.repeat(250)}`, size),
  'short lines': (size) => filled('OBX|1|TX|||text\r', size),
  blanks: (size) => filled('A \r', size),
}

function filled(line: string, size: number): Buffer {
  const bytes = Buffer.alloc(size, line)
  bytes.write(HEADER)
  return bytes
}

describe('held messages of 32 MB', function () {
  this.timeout(1_800_000)
  const worst = new Map<string, number>()

  /** Does an act, and notes the longest time of this thread between two turns of its event loop until the act is done. */
  async function measured(what: string, act: () => unknown): Promise<void> {
    await nextTurn()
    let isDone = false
    let longest = 0
    const watching = (async () => {
      while (!isDone) {
        const work = workOfThread()
        await nextTurn()
        longest = Math.max(longest, work())
      }
    })()
    const work = workOfThread()
    try {
      const acting = act()
      // What it did before it returned is a part of this turn.
      longest = Math.max(longest, work())
      await acting
    } finally {
      isDone = true
      await watching
    }
    worst.set(what, Math.max(worst.get(what) ?? 0, Math.round(longest)))
    // The log is copied into the file in a turn of its own.
    await sleep(20)
  }

  for (const [shape, payloadOf] of Object.entries(SHAPES))
    it(`of ${shape} block the event loop for at most ${MOST_MS} ms at a time, whatever a person does with them`, async () => {
      worst.clear()
      const userDir = aFolder()
      mkdirSync(join(userDir, 'countersign'))
      const runtime = {
        settings: { credentialSecret: 'of a test', userDir },
        nodes: { eachNode: () => {} },
        _: (key: string) => key,
      } as unknown as Runtime
      const fileOf = (name: string) => join(userDir, 'countersign', `${name}.sqlite`)
      const common = { seal: sealOf(runtime)(), clock: systemClock, onDropped() {} }
      const failures: unknown[] = []
      const onError = (failure: unknown) => void failures.push(failure)
      let sent: Message[] = []
      const aQueue = (nodeId: string, run: string): HeldQueue =>
        openHeldQueue({
          ...common,
          ...{ where: fileOf(`held-${nodeId}`), nodeId, run, onError },
          ...{ maxMessages: 100, maxBytes: Number.POSITIVE_INFINITY, endedReason: 'ended' },
          emit: (message) => void sent.push(message),
          onChanged() {},
        })
      const orphan = (kind: 'held' | 'intake') => ({ kind, nodeId: 'gone' }) as Orphan

      for (let round = 1; round <= ROUNDS; round++) {
        const payload = payloadOf(SIZE)
        const queue = aQueue('desk', 'first')
        const id = 2 * round - 1
        await measured('hold', () => queue.hold({ payload, held: ['a reason'], intake: `in/${round}` }))
        await measured('hold one without an intake', () => queue.hold({ payload, held: ['a reason'] }))
        let shown: Uint8Array = Buffer.alloc(0)
        await measured('show', async () => (shown = await largeTextInJson(await queue.payload(id))))
        let { text } = JSON.parse(Buffer.from(shown).toString()) as { text: string }
        shown = Buffer.alloc(0)
        let corrected: unknown
        await measured(
          'read the correction',
          async () => (corrected = await largePayload(text, await queue.payload(id))),
        )
        await measured('edit', () => queue.edit(id, corrected))
        text = ''
        corrected = undefined
        await measured('resend', () => queue.resend(id))
        await measured('hold again', () => queue.hold({ ...sent.pop()!, held: ['another'] }))
        await measured('resend', () => queue.resend(id))
        const resent = sent.pop()!
        queue.close(false)

        const database = new DatabaseSync(fileOf('held-desk'))
        database.exec('DELETE FROM under_way')
        database.prepare('INSERT INTO under_way VALUES (?, 2, 3)').run(id)
        database.close()
        const next = aQueue('desk', 'second')
        await measured('hold again what has ended Node-RED twice', () => next.resendLeftOver())
        expect(next.list().find(({ heldId }) => heldId === id)!.reasons).to.include('ended')
        await next.resend(id)
        next.close(false)
        const third = aQueue('desk', 'third')
        sent = []
        await measured('resend after a crash', () => third.resendLeftOver())
        expect(sent).to.have.length(1)
        sent = []
        await measured('discard', () => third.discard(id))

        const intake = openIntake({
          ...common,
          ...{ file: fileOf('intake-gone'), nodeId: 'gone', maxBytes: Number.POSITIVE_INFINITY, repeatMs: 0, onError },
          emit: (message) => void sent.push(message),
          setAside: async () => {},
        })
        await measured('accept, and send into the flow', async () => {
          await intake.accept({ payload }, payload)
          while (sent.length === 0) await nextTurn()
        })
        sent = []
        let isDone = false
        const resend = createResend({
          ...{ intake, onError, processingIds: [] },
          aside: { holdFor: () => (isDone = true) },
          emit: () => (isDone = true),
        })
        const stopListening = listenForTaken('aside', () => (isDone = true))
        await measured('judge again', async () => {
          resend({ ...resent, intake: intakeId('aside', 1) })
          while (!isDone) await nextTurn()
        })
        stopListening()
        await intake.close(false)

        const adopted = aQueue('adopter', 'first')
        const gone = aQueue('gone', 'first')
        await gone.hold({ payload, held: ['a reason'] })
        gone.close(false)
        const adopter = (adopt: (given: unknown) => Promise<void>) =>
          ({ kind: 'held', nodeId: 'adopter', type: '', name: '', serviceId: null, count: () => 0, adopt }) as const
        const adopting = adopter((message) => adopted.hold(message as Message))
        await measured('adopt held', () => emptyQueue(runtime, orphan('held'), adopting))
        const other = openIntake({
          ...common,
          ...{
            file: fileOf('intake-other'),
            nodeId: 'other',
            maxBytes: Number.POSITIVE_INFINITY,
            repeatMs: 0,
            onError,
          },
          emit: () => {},
          setAside: async () => {},
        })
        const accepting = adopter(async (given) => {
          const { message, digest } = given as { message: Message; digest: string }
          await other.adopt(message, digest)
        })
        await measured('adopt accepted', () => emptyQueue(runtime, orphan('intake'), accepting))
        await other.close(false)
        await measured('discard of a node that is gone', async () => {
          const again = aQueue('gone', 'first')
          await again.hold({ payload, held: ['a reason'] })
          again.close(false)
          await emptyQueue(runtime, orphan('held'), null)
        })
        adopted.close(true)
        sent = []
      }
      const memory = Math.round(process.resourceUsage().maxRSS / 1024)
      console.log(`      ${JSON.stringify({ ...Object.fromEntries(worst), memory })}`)
      expect(failures).to.deep.equal([])
      for (const [what, ms] of worst) expect(ms, what).to.be.at.most(MOST_MS)
    })
})
