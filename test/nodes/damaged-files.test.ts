/** Files in which nodes keep claims, messages to send and held messages, damaged by a crash, a disk, or someone who may write there. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import { openClaimStore } from '../../nodes/shared/files/claim-store.ts'
import { openHeldQueue } from '../../nodes/shared/held/held-queue.ts'
import { openOutbox } from '../../nodes/shared/mllp/outbox.ts'
import { aFolder } from '../support/a-folder.ts'
import { FakeClock, settle } from '../support/fake-clock.ts'

const TEXT = 'WILLOW'
const HL7 = 'MSH|^~\\&|A|A|B|B|20260101||ORU^R01|1|P|2.5\r'

/** One use of a file, from opening to closing: what it does with what it finds, and the codes that it reports. */
type Use = (file: string) => Promise<{ done: unknown[]; codes: unknown[] }>

const seal = createSeal('a secret')
const codeOf = (failure: unknown) => (failure as { code?: string }).code

const USES: Record<string, { table: string; column: string; fill: (file: string) => Promise<void>; use: Use }> = {
  claims: {
    table: 'claim',
    column: 'claim',
    async fill(file) {
      const store = openClaims(file)
      const pdf = { name: `${TEXT}.pdf`, size: 1, writtenAt: 1 }
      store.add({ id: 1, pdf, index: null, others: [] })
      store.close(false)
    },
    async use(file) {
      const codes: unknown[] = []
      const done: unknown[] = []
      let store: ReturnType<typeof openClaims> | undefined
      try {
        store = openClaims(file)
        done.push(...store.all().map(({ claim }) => claim.pdf?.name))
      } catch (failure) {
        codes.push(codeOf(failure))
      }
      store?.close(false)
      return { done, codes }
    },
  },
  'an outbox': {
    table: 'accepted',
    column: 'sealed',
    async fill(file) {
      const outbox = await anOutbox(file, [], [], true)
      await outbox.put({ payload: Buffer.from(HL7) })
      await outbox.close(false)
    },
    async use(file) {
      const [done, codes]: [unknown[], unknown[]] = [[], []]
      try {
        const outbox = await anOutbox(file, done, codes, false)
        await settle()
        await outbox.close(false)
      } catch (failure) {
        codes.push(codeOf(failure))
      }
      return { done, codes }
    },
  },
  'held messages': {
    table: 'held',
    column: 'message',
    async fill(file) {
      const queue = aQueue(file)
      await queue.hold({ payload: TEXT })
      queue.close(false)
    },
    async use(file) {
      const [done, codes]: [unknown[], unknown[]] = [[], []]
      try {
        const queue = aQueue(file)
        for (const id of queue.ids()) done.push(await queue.payload(id))
        queue.close(false)
      } catch (failure) {
        codes.push(codeOf(failure))
      }
      return { done, codes }
    },
  },
}

function openClaims(where: string) {
  return openClaimStore({ where, nodeId: 'files', folder: '1:2', seal, run: 'a run' })
}

function aQueue(where: string) {
  return openHeldQueue({
    ...{ where, nodeId: 'held', run: 'a run', seal, clock: new FakeClock(), endedReason: 'ended' },
    ...{ maxMessages: 10, maxBytes: 100_000 },
    ...{ emit() {}, onChanged() {}, onDropped() {}, onError() {} },
  })
}

async function anOutbox(file: string, sent: unknown[], codes: unknown[], isAway: boolean) {
  return openOutbox({
    ...{ file, nodeId: 'out', seal, clock: new FakeClock(), random: () => 0.5, maxBytes: 100_000, maxTries: 1000 },
    sender: {
      async send(bytes) {
        if (isAway) throw Object.assign(new Error('away'), { name: 'MllpError', code: 'unreachable' })
        sent.push(Buffer.from(bytes).toString())
        return Buffer.from('MSH|^~\\&|B|B|A|A|20260101||ACK|1|P|2.5\rMSA|AA|1\r')
      },
    },
    ...{ onDelivery() {}, onDropped() {}, onTryFailed() {}, setAside: async () => {} },
    onError: (failure) => void codes.push(failure.code),
  })
}

const change = (file: string, sql: string) => {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

/** Each does something to a file that is closed, with the table and the column of what is encrypted. */
const DAMAGES: Record<string, [damage: (file: string, table: string, column: string) => void, codes: unknown[]]> = {
  'cut off after its first page': [(file) => truncateSync(file, 4096), ['CANNOT_KEEP']],
  'cut off in its first page': [(file) => truncateSync(file, 100), ['CANNOT_KEEP']],
  'JSON instead': [(file) => writeFileSync(file, JSON.stringify({ claims: [] }).repeat(100)), ['CANNOT_KEEP']],
  'longer than any memory': [
    (file) => {
      writeFileSync(file, 'x')
      truncateSync(file, 2 ** 40)
    },
    ['CANNOT_KEEP'],
  ],
  'a folder instead': [
    (file) => {
      rmSync(file)
      mkdirSync(file)
    },
    ['CANNOT_KEEP'],
  ],
  'a link in a circle instead': [
    (file) => {
      rmSync(file)
      symlinkSync(file, file)
    },
    ['CANNOT_KEEP'],
  ],
  'another table of this name': [
    (file, table) => change(file, `DROP TABLE ${table}; CREATE TABLE ${table} (x)`),
    ['CANNOT_KEEP'],
  ],
  'another byte in what is encrypted': [
    (file, table, column) => change(file, `UPDATE ${table} SET ${column} = zeroblob(length(${column}))`),
    ['CANNOT_OPEN'],
  ],
  'less than a nonce in what is encrypted': [
    (file, table, column) => change(file, `UPDATE ${table} SET ${column} = x'00'`),
    ['CANNOT_OPEN'],
  ],
}

describe('a damaged file of a node', () => {
  for (const [kind, { fill, use, table, column }] of Object.entries(USES)) {
    it(`with ${kind} is read when it is not damaged`, async () => {
      const file = join(aFolder(), 'kept.sqlite')
      await fill(file)
      expect(readFileSync(file, 'latin1')).to.not.contain(TEXT)
      const { done, codes } = await use(file)
      expect([done.length, codes]).to.deep.equal([1, []])
    })

    for (const [what, [damage, expected]] of Object.entries(DAMAGES))
      it(`with ${kind}, ${what}, is reported, and nothing of it is sent or thrown away`, async () => {
        const file = join(aFolder(), 'kept.sqlite')
        await fill(file)
        damage(file, table, column)
        for (const _again of [1, 2]) expect(await use(file)).to.deep.equal({ done: [], codes: expected })
      })
  }
})
