/** The answers of the control plane that its page shows. Schemas and types only: the page imports them. */
import * as z from 'zod'
import { rule } from '../../../lib/contract/primitives.ts'
import { ChosenScript } from './chosen-scripts.ts'
import { type LessonName, lessonNames } from './lessons/lessons.ts'
import { Exchange } from './traffic/exchange.ts'

export const lessonName = z.enum(lessonNames as [LessonName, ...LessonName[]], rule(`one of ${lessonNames.join(', ')}`))

export const Card = z.object({
  name: lessonName,
  title: z.string(),
  does: z.string(),
  good: z.string(),
  isOn: z.boolean(),
  /** How many requests and webhooks it has hit since it was switched on. */
  hits: z.int(),
  /** Null while the traffic proves nothing. */
  verdict: z.object({ isGood: z.boolean(), why: z.string() }).nullable(),
})

export type Card = z.infer<typeof Card>

const Choice = z.object({ id: z.string(), name: z.string() })
const SignerCard = z.object({
  npi: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  script: ChosenScript,
})

export const Room = z.object({
  organization: z.object({ id: z.int(), name: z.string() }),
  /** The organizations for which the user may act. */
  organizations: z.array(z.object({ id: z.int(), name: z.string() })),
  patients: z.array(Choice),
  documents: z.array(Choice),
  placements: z.array(Choice),
  signers: z.array(SignerCard),
})

export type RoomAnswer = z.infer<typeof Room>

export const Reading = z.object({
  now: z.string(),
  aheadSeconds: z.int(),
  /** Where the clock is being put forward to; `now` once it is there. */
  target: z.string(),
  reached: z.boolean(),
})
export const Due = z.object({
  /** When something of the service is next due; null when nothing is. */
  nextAt: z.string().nullable(),
  /** Webhooks of the organization that wait, the next ones first. */
  webhooks: z.array(z.object({ taskId: z.int(), status: z.string(), attempts: z.int(), at: z.string() })),
})

export type Reading = z.infer<typeof Reading>
export type Due = z.infer<typeof Due>

const answers = ['ok', 'error', 'gone', 'slow', 'never'] as const
export type CatcherAnswer = (typeof answers)[number]
export const catcherAnswer = z.enum(answers, rule(`one of ${answers.join(', ')}`))

export const CatcherState = z.object({
  name: z.string(),
  url: z.string(),
  answer: catcherAnswer,
  isSubscribed: z.boolean(),
})
export type CatcherState = z.infer<typeof CatcherState>

export const Snapshot = z.object({
  name: z.string(),
  /** When it was taken, by the clock of the sandbox. */
  at: z.string(),
  tasks: z.int(),
})
export type Snapshot = z.infer<typeof Snapshot>

export const Replay = z.object({
  /** The message that was sent: null when nothing was, or when nothing was recorded of it. */
  exchange: Exchange.nullable(),
  /** A sentence for a person. */
  outcome: z.string(),
})
export type Replay = z.infer<typeof Replay>

export const SeedCheck = z.object({
  /** Names of organizations that would be removed. */
  organizations: z.array(z.string()),
  /** Names of signers who would be removed. */
  signers: z.array(z.string()),
})
export type SeedCheck = z.infer<typeof SeedCheck>
