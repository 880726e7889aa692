/**
 * A row of a table: everything about one endpoint. `server/http/table-routes.ts` serves it, OpenAPI describes it, the command line
 * performs it, and nothing about the endpoint is anywhere else. Knows no HTTP beyond the words of the description.
 */
import type { Writable } from 'node:stream'
import type * as z from 'zod'
import type { Answer, Endpoint } from '../../lib/contract/endpoint.ts'
import type { AuditAction } from '../domain/audit.ts'
import type { OperatorScope } from '../domain/operator-scopes.ts'

export type Role = 'anybody' | 'sender' | 'signer' | 'administrator' | 'operator'

/** How large a body may be, and whose room it takes while it is in memory: see `http/bodies/bodies.ts`. */
export type BodyKind = 'call' | 'signing' | 'sample' | 'document' | 'verification'

/** The result of a row with a `pdf` answer. */
export interface PdfAnswer {
  pdf: Buffer
  /** The name of the file, without a patient's name or anything else of the document. */
  fileName: string
  disposition: 'inline' | 'attachment'
  /** Whether a page of the service may show it in a frame; optional, false by default. */
  isFramed?: boolean
}

/** The result of a row with a `csv` answer: a text that is saved as a file. */
export interface CsvAnswer {
  csv: string
  fileName: string
}

/** The result of a row with a `stream` answer: writes server-sent events until the listener is gone. */
export type StreamAnswer = (to: Writable) => void

/** The facts of a row alongside its description. */
export interface Facts {
  who: readonly Role[]
  /** The scope that an operator key needs; undefined where none is needed. */
  scope?: OperatorScope
  /** `call` when omitted. */
  reads?: BodyKind
  /** How often each network may call; `of` is what is counted, in the words of a refusal. */
  perNetwork?: { tries: number; windowMs: number; of: string }
  /** Requests that are worked on at once, in all and of one key or person, where each is long; `of` names them in a refusal. */
  atOnce?: { total: number; each: number; of: string }
  /** Called by an open page on its own, so that it keeps no session alive. */
  passive?: true
  /** The action that the audit log records when the row refuses with `notFound` or `conflict`; optional, none by default. */
  audited?: AuditAction
  /** The parameter of the path that is a task's id, which a log line may carry. */
  taskId?: string
}

export interface Sent {
  params?: unknown
  query?: unknown
  body?: unknown
}

export interface Row<Context = never> extends Endpoint, Facts {
  /** Receives what the schemas have read; undefined for what the row does not take. */
  run(context: Context, request: { params: unknown; query: unknown; body: unknown }): unknown
  /** Returns further errors of a body whose shape is wrong, so that all come in one answer. */
  examine?(context: Context, body: unknown): Promise<readonly string[]>
  /** Returns errors about what the schema of the body ignores, where ignoring it would do something else than was asked. */
  unnoticed?(body: unknown): readonly string[]
}

export type Table<Context> = Readonly<Record<string, Row<Context>>>

type ReadBy<S> = S extends z.ZodType ? z.output<S> : S extends 'pdf' ? Buffer : undefined
type AnswerOf<A> = A extends z.ZodType
  ? z.input<A>
  : A extends 'pdf'
    ? PdfAnswer
    : A extends 'csv'
      ? CsvAnswer
      : A extends 'stream'
        ? StreamAnswer
        : // biome-ignore lint/suspicious/noConfusingVoidType: a row without an answer returns nothing.
          void
/** The result of `run`: the body of the successful answer. */
export type ResultOf<R> = { [S in keyof R & (200 | 201 | 202 | 204)]: AnswerOf<R[S]> }[keyof R &
  (200 | 201 | 202 | 204)]

/** A row whose request and result have the types of its schemas. */
export interface TypedRow<Context, P, Q, B, R> extends Row<Context> {
  run(context: Context, request: { params: ReadBy<P>; query: ReadBy<Q>; body: ReadBy<B> }): Promise<ResultOf<R>>
}

export interface Description<P, Q, B, R> extends Omit<Endpoint, 'params' | 'query' | 'body' | 'responses'>, Facts {
  params?: P
  query?: Q
  body?: B
  responses: R
}

/** Rows for one kind of caller: the compiler holds `run` against the schemas. */
export const rowsFor =
  <Context>() =>
  <
    P extends z.ZodObject | undefined = undefined,
    Q extends z.ZodObject | undefined = undefined,
    B extends z.ZodType | 'pdf' | undefined = undefined,
    const R extends Readonly<Record<number, Answer>> = Readonly<Record<number, Answer>>,
  >(
    row: Description<P, Q, B, R> & Pick<TypedRow<Context, P, Q, B, R>, 'run' | 'examine' | 'unnoticed'>,
  ): TypedRow<Context, P, Q, B, R> =>
    row as unknown as TypedRow<Context, P, Q, B, R>
