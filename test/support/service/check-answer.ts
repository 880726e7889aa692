/** Checks every answer of the service against the contract: an undeclared status or an extra field fails the test. */
import { isDeepStrictEqual } from 'node:util'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { bodyResponses, commonResponses, type Operation, operations } from '../../../lib/contract/operations.ts'

/** Statuses of paths that are not in the table. */
const ELSEWHERE: Operation['responses'] = {
  ...commonResponses,
  404: ErrorBody,
  405: ErrorBody,
  409: ErrorBody,
  415: ErrorBody,
  503: ErrorBody,
}

/** Throws when the answer is not what the table promises. Paths that are not in the table only have to answer errors in the one shape. */
export function checkAnswer(method: string, path: string, status: number, body: unknown): void {
  const row = rowOf(method, path)
  if (!row && status < 400) return
  const declared: Operation['responses'] = row
    ? { ...row.responses, ...(row.public ? {} : commonResponses), ...(row.body ? bodyResponses : {}) }
    : ELSEWHERE
  const schema = declared[status]
  const named = `${method} ${row?.path ?? path} answered ${status}`
  if (schema === undefined) throw new Error(`${named}, which the contract does not declare: ${JSON.stringify(body)}`)
  if (method === 'HEAD') return
  if (schema === null) {
    if (body !== undefined) throw new Error(`${named} with a body, where the contract has none`)
    return
  }
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new Error(`${named} with a body that breaks the contract: ${parsed.error.message}`)
  if (!isDeepStrictEqual(parsed.data, body)) throw new Error(`${named} with fields that the contract does not name`)
}

function rowOf(method: string, path: string): Operation | undefined {
  const [pathname = ''] = path.split('?')
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase()
  return Object.values(operations as Record<string, Operation>).find(
    (row) => row.method === wanted && new RegExp(`^${row.path.replace(/:\w+/g, '[^/]+')}/?$`).test(pathname),
  )
}
