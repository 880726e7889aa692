/** Records three updates of the retracted task: first an id, then that it is archived, then that it is filed. */
import { type Host, TASKS } from '../host.ts'
import { isSuccess } from '../judge.ts'
import { notTried } from '../verdict.ts'
import { once } from './once.ts'
import type { Json } from './sample.ts'
import type { StageContext } from './stage.ts'
import type { Tasks } from './tasks.ts'

/** Returns the answer to an update. */
export const update = (host: Host, taskId: number, query: Record<string, string | boolean>) =>
  host.patch(`${TASKS}/${taskId}`, { query })

export function createOutcomes({ host, newId }: StageContext, { retracted, read }: Tasks) {
  async function record(more: Record<string, boolean> = {}) {
    const { taskId } = await retracted()
    const savedId = `CONFORM-${newId()}`
    const answer = await update(host, taskId, { externalSavedDocumentId: savedId, ...more })
    if (!isSuccess(answer.status)) notTried(`nothing could be recorded for it: answered ${answer.status}`)
    return { taskId, savedId, answer, output: Object((await read(taskId)).output) as Json }
  }
  const recorded = once(() => record())
  const archived = once(async () => {
    await recorded()
    return record({ archived: true })
  })
  return {
    recorded,
    archived,
    filed: once(async () => {
      await archived()
      return record({ saved: true })
    }),
  }
}
