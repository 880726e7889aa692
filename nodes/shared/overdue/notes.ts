/** Keeps what the host of a task does not report and a message has: the signer and the clinical date. They are encrypted in the journal. */
import * as z from 'zod'
import { anyPathId, date, Npi } from '../../../lib/contract/primitives.ts'
import { sealOf } from '../carry/seal-of.ts'
import { messageReader } from '../form/form-reader.ts'
import { readInputs } from '../form/inputs.ts'
import { dateOf } from '../normalize/date.ts'
import type { Config, Message, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import type { ServiceNode } from '../service/connection.ts'
import { checkService } from '../service/same-task.ts'
import type { OverdueJournal } from './overdue-journal.ts'

export interface TaskNote {
  userNPI?: string | undefined
  effectiveDate?: string | undefined
}

export interface Notes {
  /** Keeps the facts in the message, and returns the id of the task; undefined for a message that names no task. */
  take(message: Message, journal: () => Promise<OverdueJournal>): Promise<number | undefined>
  /** Returns the facts that were kept; none, with a warning, when it cannot be opened. */
  open(taskId: number, sealed: string | undefined): TaskNote
}

export function createNotes(runtime: Runtime, node: RuntimeNode, config: Config, service: ServiceNode | null): Notes {
  const seal = sealOf(runtime)
  /** The tasks of which a warning was given: each look would give it again. */
  const warned = new Set<number>()
  const placeOf = (taskId: number) => `overdue/${node.id}/${taskId}`
  const timeZone = service?.settings.timeZone ?? null
  const table = {
    taskId: anyPathId(),
    userNPI: Npi.optional(),
    effectiveDate: z.preprocess((given) => dateOf(given, timeZone), date().optional()),
  }

  return {
    async take(message, journal) {
      const reader = messageReader({ runtime, node, config }, message)
      if (isNothing(await reader.value('taskId', 'taskId'))) return undefined
      const { taskId, ...note } = await readInputs(table, reader)
      if (service) checkService(message, service)
      const isEmpty = note.userNPI === undefined && note.effectiveDate === undefined
      if (!isEmpty)
        await (await journal()).note(taskId, seal().seal(Buffer.from(JSON.stringify(note)), placeOf(taskId)))
      return taskId
    },
    open(taskId, sealed) {
      if (sealed === undefined) return {}
      try {
        return JSON.parse(seal().open(sealed, placeOf(taskId)).toString()) as TaskNote
      } catch {
        if (!warned.has(taskId)) node.warn(runtime._('warning.cannotOpen', { taskId }))
        warned.add(taskId)
        return {}
      }
    },
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ''
