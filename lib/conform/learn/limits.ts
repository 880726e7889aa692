/** The longest texts that a host takes, as its refusals say. */
import type { PlainAnswer } from '../exchange.ts'
import { type Host, TASKS } from '../host.ts'
import { isSuccess } from '../judge.ts'
import { update } from '../stage/outcomes.ts'
import type { Stage } from '../stage/stage.ts'
import { type Learnt, seen, untold } from './learnt.ts'

/** Longer than any profile allows. */
const TOO_LONG = 'x'.repeat(4_001)

/** Returns the number in the sentence of a refusal that names the field; undefined when none does. Pure. */
export function limitIn(body: unknown, field: string): number | undefined {
  const { errors } = Object(body) as { errors?: unknown }
  const sentence = (Array.isArray(errors) ? errors : []).find((error) => String(error).includes(field))
  const numbers =
    String(sentence ?? '')
      .match(/\d+/g)
      ?.map(Number) ?? []
  return numbers.filter((number) => number > 1 && number < TOO_LONG.length).at(-1)
}

export async function learnLimits(host: Host, stage: Stage): Promise<Learnt[]> {
  const create = await host.post(TASKS, await stage.body({ document: { externalDocId: TOO_LONG } }))
  const saved = await update(host, (await stage.retracted()).taskId, { externalSavedDocumentId: TOO_LONG })
  const { taskId } = await stage.toSpare()
  const reason = await host.delete(`${TASKS}/${taskId}`, { query: { reason: TOO_LONG } })
  return [
    learnt('limits.externalDocIdLength', 'externalDocId', create),
    learnt('limits.savedDocumentIdLength', 'externalSavedDocumentId', saved),
    learnt('limits.reasonLength', 'reason', reason),
    untold('limits.attachmentBytes', 'large documents are not tried'),
  ]
}

function learnt(path: string, field: string, { status, body }: PlainAnswer): Learnt {
  if (isSuccess(status)) return untold(path, `the host takes ${TOO_LONG.length} characters`)
  const limit = limitIn(body, field)
  return limit === undefined ? untold(path, `the refusal (${status}) names no number`) : seen(path, limit, 'a refusal')
}
