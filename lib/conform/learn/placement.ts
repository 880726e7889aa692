/** Where coordinates begin, and which word begins the tokens: told by which creates a host accepts, and which tasks fail. */
import { type Host, TASKS } from '../host.ts'
import { isSuccess } from '../judge.ts'
import { jsonAnnotations, samplePdf } from '../stage/sample.ts'
import type { Stage } from '../stage/stage.ts'
import { guessed, type Learnt, seen, untold } from './learnt.ts'

export async function learnOrigin(host: Host, stage: Stage): Promise<Learnt> {
  const isAccepted = async (origin: 'top-left' | 'bottom-left') => {
    const body = await stage.body({ document: { annotations: jsonAnnotations(origin) } })
    return isSuccess((await host.post(TASKS, body)).status)
  }
  const [top, bottom] = [await isAccepted('top-left'), await isAccepted('bottom-left')]
  if (top === bottom) return untold('coordinates.origin', `boxes of both origins are ${top ? 'accepted' : 'refused'}`)
  return seen('coordinates.origin', top ? 'top-left' : 'bottom-left', 'the other is refused')
}

/** @param words from the likeliest on */
export async function learnTokens(host: Host, stage: Stage, words: readonly string[]): Promise<Learnt> {
  const path = 'tokenPrefix'
  const endsFailed = async (tokenPrefix: string | null) => {
    const attachment = await samplePdf(tokenPrefix === null ? null : { tokenPrefix })
    const annotations = { type: 'SmartAnnotations' }
    const answer = await host.post(TASKS, await stage.body({ document: { attachment, annotations } }))
    const { taskId } = Object(answer.body) as { taskId?: unknown }
    if (typeof taskId !== 'number') return true
    return !(
      await stage.wait(async () => {
        const { status } = await stage.read(taskId)
        return status === 'Received' || status === 'Processing' ? null : { isPending: status === 'Pending' }
      })
    )?.isPending
  }
  if (!(await endsFailed(null)))
    return words[0] === undefined
      ? untold(path, 'the host accepts a document without any token')
      : guessed(path, words[0], 'by the name of the host, which accepts a document without any token')
  for (const word of words) if (!(await endsFailed(word))) return seen(path, word, 'a document with these tokens')
  return untold(path, `the host finds no tokens that begin with ${words.join(' or ')}`)
}
