/** Reads every task that was acknowledged, and every one that was signed with its PDF: a sentence for each that is not there. */
import type { Task } from '../../../lib/contract/task/task.ts'
import type { Acknowledged } from './acknowledged.ts'
import type { Sender } from './sender.ts'

export async function unreadable(sender: Sender, { created, outcomes }: Acknowledged): Promise<string[]> {
  const broken: string[] = []
  for (const taskId of created) {
    const isSigned = outcomes.get(taskId) === 'Completed'
    const path = `/api/v1/signature/tasks/${taskId}?includeOutputAttachment=${isSigned}`
    try {
      const { output } = (await sender.ask({ name: 'reread', method: 'GET', path, expected: 200 })) as Task
      if (isSigned && !isPdf(output?.attachment)) broken.push(`task ${taskId} was signed and has no PDF`)
    } catch (failure) {
      broken.push(`task ${taskId} was acknowledged and cannot be read: ${(failure as Error).message}`)
    }
  }
  return broken
}

const isPdf = (attachment: string | null | undefined): boolean =>
  Buffer.from(attachment ?? '', 'base64')
    .toString('latin1')
    .startsWith('%PDF-')
