/** Binds the table to the operations: one loop that parses, calls and answers. Adding a row needs no line here. */
import type { Express, Request, RequestHandler, Response } from 'express'
import * as z from 'zod'
import { describeIssues } from '../../lib/contract/error.ts'
import { withHints } from '../../lib/contract/mistakes.ts'
import { type Operation, type OperationName, operations } from '../../lib/contract/operations.ts'
import { Refusal } from '../domain/refusal.ts'
import { handlers } from '../operations/index.ts'
import type { OperationContext } from '../operations/operation.ts'

export interface Mounting {
  /** Called before a refusal of an operation is answered. */
  onRefusal(name: OperationName, refusal: Refusal, req: Request, res: Response): Promise<void>
  /** Establishes the caller, and refuses whoever is none or asks too often. */
  authenticate: RequestHandler[]
  /** Readers of the body of an operation. */
  bodyOf(name: OperationName): RequestHandler[]
  contextOf(req: Request, res: Response): OperationContext
  /** Errors that can be found in a body whose shape is wrong, so that they come in the same answer. */
  alsoWrong(name: OperationName, context: OperationContext, body: unknown): Promise<readonly string[]>
}

export function mount(app: Express, mounting: Mounting): void {
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const note: RequestHandler = (_req, res, next) => {
      res.locals.operation = name
      res.locals.template = operation.path
      res.locals.declared = Object.keys(operation.responses).map(Number)
      next()
    }
    const before = [
      note,
      ...(operation.public ? [] : mounting.authenticate),
      ...(operation.body ? mounting.bodyOf(name) : []),
    ]
    app[operation.method](operation.path, ...before, (req, res) => {
      const answered = answer(name, operation, mounting, req, res)
      return res.locals.bodyWhile?.(answered) ?? answered
    })
  }
  for (const path of new Set(Object.values(operations).map((operation) => operation.path)))
    refuseOtherMethods(app, path)
}

async function answer(name: OperationName, operation: Operation, mounting: Mounting, req: Request, res: Response) {
  const context = mounting.contextOf(req, res)
  const parts = { params: req.params, query: req.query, body: req.body as unknown }
  const parsed = parse(operation, parts)
  if (Array.isArray(parsed)) {
    const more = operation.body ? await mounting.alsoWrong(name, context, parts.body) : strayBody(req)
    throw new Refusal('invalid', ...withHints([...new Set([...parsed, ...more])], parts.body))
  }
  if (operation.group === 'Tasks') res.locals.taskId = (parsed.params as { id?: number } | undefined)?.id
  const run = handlers[name] as (context: OperationContext, request: unknown) => Promise<unknown>
  const result = await run(context, parsed).catch(async (failure: unknown) => {
    if (failure instanceof Refusal) await mounting.onRefusal(name, failure, req, res)
    throw failure
  })
  const [status, schema] = successOf(operation)
  if (schema === null) return void res.status(status).end()
  // What the schema of the answer does not name never leaves the service.
  res.status(status).json(schema.parse(result))
}

/** An operation without parameters accepts none: a mistyped one must not go unnoticed. */
const NO_QUERY = z.strictObject({})

/** A sender who puts the parameters of an update into a body should read why they were not found. */
const strayBody = (req: Request): string[] =>
  Number(req.headers['content-length'] ?? 0) > 0 ? ['body: not read; this call takes its values from the URL'] : []

/** The parsed parts, or every error in them. */
function parse(operation: Operation, parts: { params: unknown; query: unknown; body: unknown }) {
  const errors: string[] = []
  const read = (schema: z.ZodObject | undefined, value: unknown) => {
    if (!schema) return undefined
    const result = schema.safeParse(value)
    if (!result.success) errors.push(...describeIssues(result.error, Object.keys(schema.shape)))
    return result.data
  }
  const parsed = {
    params: read(operation.params, parts.params),
    // Balancers add parameters of their own to the health check.
    query: read(operation.query ?? (operation.public ? undefined : NO_QUERY), parts.query),
    body: read(operation.body, parts.body),
  }
  return errors.length > 0 ? errors : parsed
}

function successOf({ responses }: Operation): [number, z.ZodType | null] {
  const status = Object.keys(responses)
    .map(Number)
    .find((code) => code < 300) as number
  return [status, responses[status] as z.ZodType | null]
}

/** A path that exists says which methods it has, instead of that it does not exist. */
function refuseOtherMethods(app: Express, path: string): void {
  const methods = Object.values(operations)
    .filter((operation) => operation.path === path)
    .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
  app.all(path, (_req, res) => {
    res.locals.template = path
    res.setHeader('Allow', methods.join(', '))
    res.status(405).json({ errors: [`method: this path takes ${methods.join(', ')}`] })
  })
}
