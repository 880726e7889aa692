/** Turns a call and its answer into what may be written down of them. */
import * as z from 'zod'
import { nextOfLink } from '../../lib/client/list/list-pages.ts'
import { ErrorBody } from '../../lib/contract/error.ts'
import type { Operation } from '../../lib/contract/operations.ts'
import { type Call, maskCall, maskQuery } from './call.ts'
import type { Exchange } from './exchange.ts'
import { type Masking, maskJson } from './mask.ts'
import { isDocument, type StandIns } from './stand-ins.ts'

/** An answer of the host. */
export interface HostAnswer {
  status: number
  retryAfter: string | undefined
  link: string | undefined
  /** Parsed JSON; undefined when there is none. */
  body: unknown
}

export type MaskedExchange = Pick<Exchange, 'request' | 'answer' | 'withheld'>

/** Rejects only when a stand-in cannot be made. */
export async function maskExchange(call: Call, answer: HostAnswer, standIns: StandIns): Promise<MaskedExchange> {
  const documents = new Set<string>()
  maskBoth(call, answer, {
    replace(text, name) {
      if (isDocument(name)) documents.add(text)
      return ''
    },
    leaveOut() {},
  })
  await standIns.meet(documents)
  let withheld = 0
  const masked = maskBoth(call, answer, {
    replace(text, name) {
      withheld++
      return standIns.of(text, name)
    },
    leaveOut: () => void withheld++,
  })
  return { ...masked, withheld }
}

function maskBoth(call: Call, { status, retryAfter, link, body }: HostAnswer, by: Masking) {
  const next = nextOfLink(link)
  return {
    request: maskCall(call, by),
    answer: {
      status,
      ...(retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) && { retryAfter }),
      ...(next && { next: maskQuery(call.row, next, by) }),
      ...(body !== undefined && { body: maskJson(schemaOf(call.row, status, body), body, by) }),
    },
  }
}

/** Where the interface has no body, a host's may be there without its fields. */
function schemaOf({ responses }: Operation, status: number, body: unknown): z.ZodType {
  const nothing = Array.isArray(body) ? z.array(z.never()) : z.object({})
  return responses[status] ?? (status >= 400 ? ErrorBody : nothing)
}
