/** The table of the interface as a host speaks it: its paths, parameters, limits and envelopes. Pure. */
import * as z from 'zod'
import { docs } from '../contract/docs.ts'
import { ErrorBody } from '../contract/error.ts'
import { type Operation, type OperationName, operations } from '../contract/operations.ts'
import { rule, text, upTo } from '../contract/primitives.ts'
import { annotationsFrom } from '../contract/task/annotations.ts'
import { TaskDocument } from '../contract/task/document.ts'
import { CreateTask } from '../contract/task/task.ts'
import type { HostProfile } from './host-profile.ts'
import { FILTERS, type NumberedPages, parameterOf } from './list-habits.ts'
import { defaultProfile } from './parse-profile.ts'

export type HostOperations = Readonly<Record<OperationName, Operation>>

/** Calls about one task or subscription, which a host may answer 404 where the interface has 400. */
const ABOUT_ONE = new Set<OperationName>(['updateTask', 'retractTask', 'updateSubscription', 'deleteSubscription'])

/** Returns the rows as the host has them. One that is as the interface words it stays the same. */
export function operationsOf(profile: HostProfile): HostOperations {
  const changed = changesOf(profile)
  const rows = Object.entries(operations) as [OperationName, Operation][]
  const asSpoken = rows.map(([name, row]): [string, Operation] => {
    const path = `${profile.basePath}${row.path}` as `/${string}`
    return [name, { ...row, ...changed[name], path, responses: answersOf(name, row, profile) }]
  })
  return Object.fromEntries(asSpoken) as HostOperations
}

/** Returns the requests that the host reads differently. */
function changesOf(profile: HostProfile): Partial<Record<OperationName, Pick<Operation, 'query' | 'body'>>> {
  const { limits, coordinates, list } = profile
  const own = defaultProfile.limits
  const isOwnCreate = limits.externalDocIdLength === own.externalDocIdLength && coordinates.origin === 'top-left'
  const isOwnList = list.paging === 'link' && knowsAll(list.filters) && Object.keys(list.filterNames).length === 0
  return {
    ...(!isOwnCreate && { createTask: { body: createTaskOf(profile) } }),
    ...(!isOwnList && { listTasks: { query: listQueryOf(list) } }),
    ...(limits.savedDocumentIdLength !== own.savedDocumentIdLength && { updateTask: { query: updateQueryOf(limits) } }),
    ...(limits.reasonLength !== own.reasonLength && { retractTask: { query: retractQueryOf(limits) } }),
  }
}

function answersOf(
  name: OperationName,
  { responses }: Operation,
  { list, refusals }: HostProfile,
): Operation['responses'] {
  const { envelope } = list
  const answers = Object.entries(responses).map(([status, schema]) => [
    status,
    envelope !== null && schema instanceof z.ZodArray ? z.object({ [envelope]: schema }) : schema,
  ])
  const missing = ABOUT_ONE.has(name) && refusals.unknownId === 404 ? { 404: ErrorBody } : {}
  return { ...Object.fromEntries(answers), ...missing }
}

/** The same schema, with the words of another that people read. */
const asTold = <S extends z.ZodType>(schema: S, like: z.ZodType): S => {
  const { id: _, ...doc } = docs.get(like)!
  docs.add(schema, doc)
  return schema
}

function createTaskOf({ limits, coordinates }: HostProfile): z.ZodObject {
  const { externalDocId } = TaskDocument.shape
  const document = TaskDocument.extend({
    externalDocId: asTold(text(limits.externalDocIdLength), externalDocId),
    annotations: annotationsFrom(coordinates.origin),
  })
  return asTold(CreateTask.extend({ document: asTold(document, TaskDocument) }), CreateTask)
}

function updateQueryOf(limits: HostProfile['limits']): z.ZodObject {
  const { query } = operations.updateTask
  const id = asTold(text(limits.savedDocumentIdLength), query.shape.externalSavedDocumentId)
  return query.extend({ externalSavedDocumentId: id })
}

function retractQueryOf(limits: HostProfile['limits']): z.ZodObject {
  const reason = upTo(limits.reasonLength).optional()
  docs.add(reason, {
    title: 'Reason',
    description: `Stored as the status reason; up to ${limits.reasonLength} characters.`,
    examples: ['Corrected document follows'],
    sensitive: true,
  })
  return operations.retractTask.query.extend({ reason })
}

const knowsAll = (filters: readonly string[]) => FILTERS.every((name) => filters.includes(name))

/** A host that knows only some of the filters ignores what it does not know. */
function listQueryOf(list: HostProfile['list']): z.ZodObject {
  const { paging, filters } = list
  const { shape } = operations.listTasks.query
  const known = Object.fromEntries(filters.map((name) => [parameterOf(list, name), shape[name]]))
  const parameters = { ...known, ...(paging === 'link' ? linkParameters() : paging === 'none' ? {} : numbered(paging)) }
  return knowsAll(filters) ? z.strictObject(parameters) : z.object(parameters)
}

const linkParameters = () => {
  const { limit, before } = operations.listTasks.query.shape
  return { limit, before }
}

function numbered({ pageParameter, sizeParameter, counts, firstPage, pageSize }: NumberedPages) {
  const first = counts === 'tasks' ? 0 : firstPage
  const what = counts === 'tasks' ? 'How many tasks come before the page.' : `The page, from ${firstPage}.`
  return {
    [pageParameter]: wholeText(first, 2_147_483_647, 'Page', what),
    ...(sizeParameter !== undefined && {
      [sizeParameter]: wholeText(1, 500, 'Page size', `Tasks per page; ${pageSize} when left out.`),
    }),
  }
}

function wholeText(first: number, last: number, title: string, description: string) {
  const right = `a whole number from ${first} to ${last}, given once`
  const schema = z
    .string(rule(right))
    .regex(/^\d{1,10}$/, right)
    .transform(Number)
    .pipe(z.int().min(first, right).max(last, right))
    .optional()
  docs.add(schema, { title, description, examples: [first], type: 'integer' })
  return schema
}
