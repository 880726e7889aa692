/** Builds the body of a new task from the form of the create node: field by field, or whole. The contract checks it at once. */
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import { type AttachmentForm, encodeAttachment } from '../document/attachment.ts'
import { normalizedBody, withUnderstood } from '../normalize/body.ts'
import { InputError } from '../runtime/failures.ts'
import type { Config } from '../runtime/node-red.ts'
import type { Speech } from '../service/speech.ts'
import { judged } from './checks.ts'
import { asNumber, asText, compact, type JsonObject, rowsOf } from './form-values.ts'
import { type Evaluate, type TypedValue, typedInput } from './inputs.ts'
import { placedFields } from './placed-fields.ts'

export interface CheckedBody {
  body: CreateTask
  /** What our own service would refuse, although the interface does not state it. */
  warnings: string[]
}

/** Throws one InputError with everything that is wrong, before any call is made. */
export async function taskBody(config: Config, evaluate: Evaluate, speech: Speech): Promise<CheckedBody> {
  const errors: string[] = []
  const value = (input: TypedValue, label: string) =>
    evaluate(input, label).catch((failure: InputError) => {
      errors.push(...failure.errors)
      return undefined
    })

  const given = config.source === 'body' ? await wholeBody(config, value) : await bodyOfFields(config, value)
  const body = normalizedBody(given)
  const document = (body.document ?? {}) as JsonObject
  const form = config.source === 'body' ? 'data' : (config.attachmentForm as AttachmentForm)
  const attachment = await encodeAttachment(document.attachment, form).catch((failure: InputError) => {
    errors.push(...failure.errors)
    return undefined
  })
  const whole = { ...body, document: { ...document, attachment } }
  const parsed = speech.createBody.safeParse(whole)
  const found = parsed.success ? { errors: [], warnings: [] } : judged(parsed.error.issues, whole, speech.checks)
  // The attachment was checked above, with better errors.
  const others = found.errors.filter((sentence) => !sentence.startsWith('document.attachment:'))
  errors.unshift(...others.map(withUnderstood))
  if (errors.length > 0) throw new InputError(errors)
  return { body: (parsed.success ? parsed.data : whole) as CreateTask, warnings: found.warnings }
}

async function wholeBody(config: Config, value: Evaluate): Promise<JsonObject> {
  const given = await value(typedInput(config, 'body'), 'body')
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as JsonObject
  throw new InputError(['body: required; an object with patient, performers and document'])
}

async function bodyOfFields(config: Config, value: Evaluate): Promise<JsonObject> {
  const field = (name: string) => value(typedInput(config, name), name)
  const list = async (name: string) => {
    const rows = await rowsOf(config, name, value)
    return rows.filter((row) => Object.keys(row).length > 0)
  }
  const organization = compact({
    orgNPI: await field('orgNPI'),
    name: await field('orgName'),
    addresses: orNothing(await list('orgAddresses')),
  })
  const names = (await list('names')).map(({ given, ...name }) => compact({ ...name, given: asGivenNames(given) }))
  return {
    patient: compact({
      externalId: await field('externalId'),
      names,
      sex: await field('sex'),
      birthDate: await field('birthDate'),
      addresses: await list('addresses'),
      identifiers: orNothing(await list('identifiers')),
      telecoms: orNothing(await list('telecoms')),
    }),
    performers: [
      compact({
        signer: compact({ userNPI: asText(await field('userNPI')) }),
        organization: Object.keys(organization).length > 0 ? organization : undefined,
      }),
    ],
    document: compact({
      attachment: await field('attachment'),
      effectiveDate: await field('effectiveDate'),
      documentTypeId: asNumber(await field('documentTypeId')),
      externalDocId: asText(await field('externalDocId')),
      diagnosisCode: await field('diagnosisCode'),
      annotations: compact({
        type: config.placement,
        templateId: asNumber(await field('templateId')),
        data: await placedFields(config, value),
      }),
    }),
  }
}

const orNothing = (rows: JsonObject[]) => (rows.length > 0 ? rows : undefined)

/** "Alma Jean" is two given names. A list is taken as it is, so that a double name stays one. */
const asGivenNames = (given: unknown) => (typeof given === 'string' ? given.split(/\s+/).filter(Boolean) : given)
