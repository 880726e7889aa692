/** Stages of rehearsals for tests, which end with the tests that asked for them. */
import { redOf } from '../../../server/cli/rehearse/node-red.ts'
import { openStage, type Stage } from '../../../server/cli/rehearse/play.ts'
import { createSharedPool } from '../../../server/cli/rehearse/world.ts'
import { aFolder } from '../a-folder.ts'
import { ensureBuilt } from '../built.ts'

/** Opens stages before the tests of the suite in which this is called, and ends them after the last. */
export function stages(count: number): () => Promise<Stage>[] {
  const folder = aFolder()
  const pool = createSharedPool()
  let opened: Promise<Stage>[] = []
  before(async () => {
    await ensureBuilt()
    const red = redOf(undefined)
    opened = Array.from({ length: count }, () => openStage(red, { folder, messages: [], pool }))
    await Promise.all(opened)
  })
  after(async () => {
    for (const stage of opened) await (await stage).red.stop()
    await pool.close()
  })
  return () => opened
}
