/** The types that follow from the table: what a caller passes, what the service receives, what it answers. */
import type * as z from 'zod'
import type { OperationName, Operations } from './operations.ts'

type Flat<T> = { [K in keyof T]: T[K] } & {}
type Part<O, K extends string> = O extends { [k in K]: infer S extends z.ZodType } ? z.output<S> : undefined

interface WithParams<S extends z.ZodType> {
  /** The values in the path. */
  params: z.output<S>
}
interface WithQuery<S extends z.ZodType> {
  /** The parameters of the query. */
  query: z.output<S>
}
interface WithBody<S extends z.ZodType> {
  /** The JSON body. */
  body: z.input<S>
}

/** The parameters of a call as values rather than text. Parts that the operation does not declare cannot be passed. */
export type CallOf<N extends OperationName> = Flat<
  (Operations[N] extends { params: infer S extends z.ZodType } ? WithParams<S> : unknown) &
    (Operations[N] extends { query: infer S extends z.ZodType }
      ? Record<never, never> extends z.output<S>
        ? Partial<WithQuery<S>>
        : WithQuery<S>
      : unknown) &
    (Operations[N] extends { body: infer S extends z.ZodType } ? WithBody<S> : unknown)
>

/** A request as an operation of the service receives it: parsed, never raw. */
export type RequestOf<N extends OperationName> = {
  /** The values in the path; undefined where the operation has none. */
  params: Part<Operations[N], 'params'>
  /** The parameters of the query; undefined where the operation has none. */
  query: Part<Operations[N], 'query'>
  /** The parsed body; undefined where the operation has none. */
  body: Part<Operations[N], 'body'>
}

type Success<R> = keyof R & (200 | 201 | 204)
type BodyOf<S> = S extends z.ZodType ? z.output<S> : undefined
/** The successful answer of an operation; undefined where there is no body. */
export type ResultOf<N extends OperationName> = ResultOfResponses<Operations[N]['responses']>
type ResultOfResponses<R> = { [S in Success<R>]: BodyOf<R[S]> }[Success<R>]
