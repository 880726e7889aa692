/** The body of a new task, from the form of the create node: field by field, or whole. The contract judges it, all at once. */
import { describeIssues } from '../../lib/contract/error.ts'
import { CreateTask } from '../../lib/contract/task.ts'
import { type AttachmentForm, encodeAttachment } from './attachment.ts'
import { InputError } from './failures.ts'
import { type Evaluate, type TypedValue, typedInput } from './inputs.ts'
import type { Config } from './node-red.ts'

type Json = Record<string, unknown>
/** One row of a list in the form: a typed input for each of its cells. */
type Row = Record<string, TypedValue>

/** Throws one InputError with everything that is wrong, before any call is made. */
export async function taskBody(config: Config, evaluate: Evaluate): Promise<CreateTask> {
  const errors: string[] = []
  const value = (input: TypedValue, label: string) =>
    evaluate(input, label).catch((failure: InputError) => {
      errors.push(...failure.errors)
      return undefined
    })

  const body = config.source === 'body' ? await wholeBody(config, value) : await bodyOfFields(config, value)
  const document = (body.document ?? {}) as Json
  const form = config.source === 'body' ? 'data' : (config.attachmentForm as AttachmentForm)
  const attachment = await encodeAttachment(document.attachment, form).catch((failure: InputError) => {
    errors.push(...failure.errors)
    return undefined
  })
  const parsed = CreateTask.safeParse({ ...body, document: { ...document, attachment } })
  if (parsed.success && errors.length === 0) return parsed.data
  // The attachment was judged above, in more words.
  const found = parsed.success ? [] : describeIssues(parsed.error)
  throw new InputError([...found.filter((sentence) => !sentence.startsWith('document.attachment:')), ...errors])
}

async function wholeBody(config: Config, value: Evaluate): Promise<Json> {
  const given = await value(typedInput(config, 'body'), 'body')
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Json
  throw new InputError(['body: required; an object with patient, performers and document'])
}

async function bodyOfFields(config: Config, value: Evaluate): Promise<Json> {
  const field = (name: string) => value(typedInput(config, name), name)
  const list = async (name: string) => {
    const rows = await Promise.all(rowsOf(config, name).map((row) => cells(row, name, value)))
    return rows.filter((row) => Object.keys(row).length > 0)
  }
  const organization = compact({
    orgNPI: await field('orgNPI'),
    name: await field('orgName'),
    addresses: orNothing(await list('orgAddresses')),
  })
  const names = (await list('names')).map(({ given, ...name }) => ({ ...name, given: asGivenNames(given) }))
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

/** The placement types that say where each field stands, and where the form keeps the rows of each. */
const PLACED: Record<string, string> = { Json: 'jsonAnnotations', ReferenceText: 'textAnnotations' }

async function placedFields(config: Config, value: Evaluate): Promise<unknown> {
  const list = PLACED[String(config.placement)]
  if (list === undefined) return undefined
  if (config.annotationSource !== 'rows') return value(typedInput(config, 'annotations'), 'annotations')
  return Promise.all(
    rowsOf(config, list).map(async (row) => {
      const { type, value: text, referenceText, required, ...places } = await cells(row, list, value)
      const numbers = Object.entries(places).map(([name, place]) => [name, asNumber(place)])
      return compact({
        type,
        value: text,
        referenceText,
        required: asBoolean(required),
        ...Object.fromEntries(numbers),
      })
    }),
  )
}

const rowsOf = (config: Config, list: string) => (config[list] ?? []) as Row[]

async function cells(row: Row, list: string, value: Evaluate): Promise<Json> {
  const entries = Object.entries(row).map(async ([name, cell]) => [name, await value(cell, `${list}.${name}`)])
  return compact(Object.fromEntries(await Promise.all(entries)))
}

const compact = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
const orNothing = (rows: Json[]) => (rows.length > 0 ? rows : undefined)

/** A form gives numbers as text. What is no number stays as it is, for the contract to refuse by name. */
const asNumber = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
const asBoolean = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)
const asText = (value: unknown) => (typeof value === 'number' ? String(value) : value)

/** "Alma Jean" is two given names; a list is taken as it is, so a double name stays one. */
const asGivenNames = (given: unknown) => (typeof given === 'string' ? given.split(/\s+/).filter(Boolean) : given)
