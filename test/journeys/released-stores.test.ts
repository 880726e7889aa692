/** Stores and journals that released versions have written are opened by this build, which works on with them. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { createOnce } from '../../lib/client/once/create-once.ts'
import { systemClock } from '../../lib/clock.ts'
import { openJournal } from '../../lib/journal/open.ts'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import { openHeldQueue } from '../../nodes/shared/held/held-queue.ts'
import { openIntake } from '../../nodes/shared/intake/intake.ts'
import type { Message } from '../../nodes/shared/runtime/node-red.ts'
import { openStore } from '../../server/store/store.ts'
import { aFolder } from '../support/a-folder.ts'
import { RELEASED, SCOPE, SECRET, TEST_KEY } from '../support/released.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const fixtures = join(import.meta.dirname, '../fixtures')
const versions = globSync('[0-9]*.[0-9]*.[0-9]*', { cwd: fixtures })

/** A copy of what a version has written, to work with. */
function writtenBy(version: string): string {
  const folder = aFolder()
  for (const name of globSync('*.gz', { cwd: join(fixtures, version) }))
    writeFileSync(join(folder, name.slice(0, -'.gz'.length)), gunzipSync(readFileSync(join(fixtures, version, name))), {
      mode: 0o600,
    })
  return folder
}

describe('released versions', () => {
  it('have left what this build is tried with', () => {
    expect(versions).to.include('1.0.0')
  })
})

for (const version of versions)
  describe(`what version ${version} has written`, () => {
    let folder: string
    let service: TestService | undefined
    const seal = createSeal(SECRET)
    beforeEach(() => {
      folder = writtenBy(version)
    })
    afterEach(async () => {
      await service?.stop()
      service = undefined
    })

    it('has its tasks, documents and audit log, and new tasks are made beside them', async () => {
      service = await aService({ data: folder, masterKey: TEST_KEY })
      const key = await service.service.issueTemporaryKey('Willow Creek Home Health')
      const client = service.clientOf(key)
      const listed = await client.listTasks({ query: { externalDocId: RELEASED.signed } })
      expect(listed.map(({ status }) => status)).to.deep.equal(['Completed'])
      const signed = await client.readTask({
        params: { id: listed[0]!.taskId },
        query: { includeOutputAttachment: true },
      })
      expect(Buffer.from(signed.output!.attachment!, 'base64').toString('latin1', 0, 5)).to.equal('%PDF-')
      const [pending] = await client.listTasks({ query: { externalDocId: RELEASED.pending } })
      await service.signs(pending!.taskId, key)
      await service.reaches(pending!.taskId, 'Completed', key)
      const body = aCreateBody({ document: { externalDocId: 'NEW' } })
      const made = await client.createTask({ body })
      await service.reaches(made.taskId, 'Pending', key)
      await service.stop()
      service = undefined
      const store = await openStore(folder, Buffer.from(TEST_KEY, 'base64'))
      expect((await store.audit.verify()).fault).to.equal(null)
      await store.close()
    })

    it('is a journal that knows what was created', async () => {
      service = await aService({ data: folder, masterKey: TEST_KEY })
      const key = await service.service.issueTemporaryKey('Willow Creek Home Health')
      const client = service.clientOf(key)
      const journal = await openJournal(join(folder, 'journal.sqlite'), 'creates')
      const create = createOnce({ client, journal, scope: SCOPE, sender: SCOPE })
      const [known] = await client.listTasks({ query: { externalDocId: RELEASED.signed } })
      // Its date was that of the day on which it was written.
      const again = create.createTask(aCreateBody({ document: { externalDocId: RELEASED.signed } }))
      await again.then(
        () => expect.fail('It was created once more.'),
        (failure) => expect(failure).to.deep.include({ code: 'CONTENT_DIFFERS', taskIds: [known!.taskId] }),
      )
      await journal.close()
    })

    it('is the messages that wait and that are held', async () => {
      const sent: unknown[] = []
      const common = { seal, clock: systemClock, maxBytes: 1_000_000, onDropped: () => {} }
      const emit = ({ payload }: Message) => void sent.push(payload)
      const onError = (failure: unknown) => {
        throw failure
      }
      const intake = openIntake({
        ...common,
        file: join(folder, 'intake-in.sqlite'),
        nodeId: 'in',
        repeatMs: 0,
        emit,
        setAside: async () => {},
        onError,
      })
      for (let turns = 0; turns < 5; turns += 1) await turn()
      expect(sent).to.deep.equal([RELEASED.accepted])
      expect(await intake.accept({ payload: RELEASED.accepted }, Buffer.from(RELEASED.accepted))).to.equal('known')
      await intake.close(false)
      const held = openHeldQueue({
        ...common,
        where: join(folder, 'held-desk.sqlite'),
        nodeId: 'desk',
        run: 'now',
        maxMessages: 10,
        endedReason: 'ended',
        emit,
        onChanged: () => {},
        onError,
      })
      expect(await Promise.all(held.list().map(({ heldId }) => held.payload(heldId)))).to.deep.equal([RELEASED.held])
      held.close(false)
    })
  })
