/** The format of a recording's files. Nothing in them is private. */
import * as z from 'zod'
import { type OperationName, operations } from '../../lib/contract/operations.ts'
import { HostProfile } from '../../lib/profile/host-profile.ts'

/** Changes when an older version could not replay what this one records. */
export const FORMAT = 1
export const RECORDING_FILE = 'recording.json'

const parameters = z.record(z.string(), z.array(z.string()))
const names = Object.keys(operations) as [OperationName, ...OperationName[]]

/** How the host speaks; is next to the exchanges. */
export const RecordingFile = z.strictObject({
  format: z.literal(FORMAT),
  /** In each file of the recording, and in no file of another one. */
  recording: z.guid(),
  profile: HostProfile,
})
export type RecordingFile = z.infer<typeof RecordingFile>

export const Exchange = z.strictObject({
  format: z.literal(FORMAT),
  recording: z.guid(),
  /** Counted from 1, in the order in which the calls came. */
  number: z.int().positive(),
  operation: z.enum(names),
  request: z.strictObject({
    method: z.string(),
    path: z.string().startsWith('/'),
    query: parameters,
    body: z.json().optional(),
  }),
  answer: z.strictObject({
    status: z.int().min(200).max(599),
    /** Seconds of its Retry-After header. */
    retryAfter: z.string().optional(),
    /** Parameters of the next page, from its Link header. */
    next: parameters.optional(),
    body: z.json().optional(),
  }),
  /** How many values were replaced or omitted. */
  withheld: z.int(),
})
export type Exchange = z.infer<typeof Exchange>

export const fileOf = ({ number, operation }: Pick<Exchange, 'number' | 'operation'>): string =>
  `${String(number).padStart(6, '0')}-${operation}.json`
