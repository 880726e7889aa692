/** A call of the interface: which row it belongs to, and what of it may be kept. Pure. */
import * as z from 'zod'
import type { Operation, OperationName } from '../../lib/contract/operations.ts'
import type { HostOperations } from '../../lib/profile/host-operations.ts'
import { type Json, type Masking, maskJson, maskParameter } from './mask.ts'

export interface Call {
  operation: OperationName
  row: Operation
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, readonly string[]>>
  /** Parsed JSON; undefined when there is none. */
  body: unknown
}

/** The parts of a call that may be kept. */
export interface MaskedCall {
  method: string
  path: string
  query: Record<string, string[]>
  body?: Json | undefined
}

/**
 * Returns the call that a request makes; null when the interface has none like it.
 * @param target path and query, as in the first line of the request
 */
export function callOf(rows: HostOperations, method: string, target: string, body: unknown): Call | null {
  const url = URL.parse(target, 'http://host.invalid')
  for (const [operation, row] of Object.entries(rows) as [OperationName, Operation][]) {
    const params = row.method === method.toLowerCase() && url ? paramsIn(row.path, url.pathname) : null
    if (params) return { operation, row, params, query: parametersOf(url!.searchParams), body }
  }
  return null
}

const parametersOf = (query: URLSearchParams) =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]))

function paramsIn(pattern: string, path: string): Record<string, string> | null {
  const [names, given] = [pattern.split('/'), path.split('/')]
  if (names.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const text = decoded(given[index]!)
    if (name.startsWith(':') && text) params[name.slice(1)] = text
    else if (name !== text) return null
  }
  return params
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

/** Returns what may be kept of the call. Parameters are in the order of the alphabet. */
export function maskCall({ row, params, query, body }: Call, by: Masking): MaskedCall {
  const path = row.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(maskParameter(row.params!.shape[name] as z.ZodType, params[name]!, name, by)),
  )
  return {
    method: row.method.toUpperCase(),
    path,
    query: maskQuery(row, query, by),
    ...(body !== undefined && { body: maskJson(row.body ?? z.object({}), body, by) }),
  }
}

export function maskQuery({ query: known }: Operation, given: Call['query'], by: Masking): Record<string, string[]> {
  const masked: Record<string, string[]> = {}
  for (const name of Object.keys(given).sort()) {
    const schema = known?.shape[name] as z.ZodType | undefined
    if (schema) masked[name] = given[name]!.map((text) => maskParameter(schema, text, name, by))
    else by.leaveOut()
  }
  return masked
}
