/** Builds the body of a new task from the form of the create node: field by field, or whole. The contract checks it at once. */
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import { isTimeZone } from '../../../lib/time-zone.ts'
import { type AttachmentForm, encodeAttachment } from '../document/attachment.ts'
import { dayWarnings, normalizedBody, withUnderstood } from '../normalize/body.ts'
import type { InputError } from '../runtime/failures.ts'
import type { Speech } from '../service/speech.ts'
import { judged } from './checks.ts'
import { bodyOfFields } from './fields-body.ts'
import type { FormReader } from './form-reader.ts'
import type { JsonObject } from './form-values.ts'
import { refuse } from './inputs.ts'
import { npiWarnings } from './npi.ts'
import { PARTS, wholeBodyInput } from './whole-body.ts'

export interface CheckedBody {
  body: CreateTask
  /** Values that our own service would refuse, although the interface does not state it, and values that look mistyped. */
  warnings: string[]
}

const NOT_A_ZONE = 'Time zone of the signature service: not the name of a time zone; use one such as America/Chicago'

/** Throws one InputError with everything that is wrong, before any call is made. */
export async function taskBody(reader: FormReader, speech: Speech, timeZone: string | null): Promise<CheckedBody> {
  const { config, named } = reader
  if (timeZone !== null && !isTimeZone(timeZone)) refuse(reader, [NOT_A_ZONE])
  const input = await wholeBodyInput(reader)
  const given = input === null ? await bodyOfFields(reader) : await wholeBody(reader, input)
  const body = normalizedBody(given, timeZone)
  const document = (body.document ?? {}) as JsonObject
  const form = input !== null ? 'data' : (config.attachmentForm as AttachmentForm)
  const wrong: string[] = []
  const attachment = await encodeAttachment(document.attachment, form).catch((failure: InputError) => {
    wrong.push(...failure.errors)
  })
  const whole = { ...body, document: { ...document, attachment } }
  const parsed = speech.createBody.safeParse(whole)
  const found = parsed.success ? { errors: [], warnings: [] } : judged(parsed.error.issues, whole, speech.checks)
  // The attachment was checked above, with better errors.
  const others = found.errors.filter((sentence) => !sentence.startsWith('document.attachment:'))
  refuse(reader, [...others.map(withUnderstood), ...wrong])
  const checked = (parsed.success ? parsed.data : whole) as CreateTask
  return {
    body: checked,
    warnings: [...found.warnings, ...npiWarnings(checked), ...dayWarnings(given, timeZone)].map(named),
  }
}

async function wholeBody(reader: FormReader, input: 'body' | 'attachment'): Promise<JsonObject> {
  const body = await reader.object(input, PARTS)
  if (!body) refuse(reader, ['body: required; an object with patient, performers and document'])
  return body ?? {}
}
