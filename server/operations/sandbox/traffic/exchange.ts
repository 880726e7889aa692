/** One request of a sender, or one webhook to a receiver, as the control room shows it and tests ask for it. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'

export const directions = ['request', 'webhook', 'caught'] as const

const headers = z.record(z.string(), z.string())

export const Exchange = z
  .object({
    id: z.int(),
    at: z.string(),
    direction: z.enum(directions).register(docs, {
      title: 'Direction',
      description:
        '`request`: from a sender to this service. `webhook`: from this service to a receiver. `caught`: a webhook that a catcher of this sandbox received.',
      examples: ['request'],
    }),
    operation: z.string().register(docs, {
      title: 'Operation',
      description: 'The operation of a request, or the status that a webhook reports.',
      examples: ['createTask'],
    }),
    method: z.string(),
    url: z.string(),
    taskId: z.int().nullable(),
    externalDocId: z.string().nullable(),
    status: z
      .int()
      .nullable()
      .register(docs, {
        title: 'Status',
        description: 'The HTTP status that the caller received; null when the caller received no answer.',
        examples: [201],
      }),
    durationMs: z.int(),
    fault: z
      .string()
      .nullable()
      .register(docs, {
        title: 'Fault',
        description: 'The planned fault that hit it; null without one.',
        examples: [null],
      }),
    replayOf: z
      .int()
      .nullable()
      .register(docs, {
        title: 'Replay of',
        description: 'The id of the exchange that was sent again; null when it was sent by its sender.',
        examples: [null],
      }),
    isVerified: z
      .boolean()
      .nullable()
      .register(docs, {
        title: 'Verified',
        description: 'Whether a receiver that checks signatures accepts the webhook; null for requests.',
        examples: [null],
      }),
    requestHeaders: headers,
    requestBody: z.string(),
    answerHeaders: headers,
    answerBody: z.string().register(docs, {
      title: 'Body of the answer',
      description: 'As it was made, also where a fault kept it from its caller. Empty for PDFs and for webhooks.',
      examples: ['{"taskId":1001,"status":"Received","statusReason":null}'],
    }),
  })
  .register(docs, {
    id: 'Exchange',
    title: 'Exchange',
    description: 'A request or a webhook with its answer. Keys and secrets are withheld, and long texts are shortened.',
    examples: [],
  })
export type Exchange = z.infer<typeof Exchange>

/** Texts of a body that are longer are shortened: most are documents in Base64. */
const LONGEST_TEXT = 300
const SHOWN_OF_LONG = 24
const MOST_SHOWN = 16_000
/** Members whose values open something. */
const SECRETS = /^(secret|signingSecret|key)$/i
/** Headers whose values may open something, of this service or of a proxy in front of it. */
export const SECRET_HEADERS = /auth|cookie|token|secret|password|credential|session|key|cert/i
const WITHHELD = '(withheld)'

/** Returns the JSON of a body for a person to read: without secrets, and with long texts shortened. */
export function shownBody(body: unknown): string {
  if (body === undefined || body === null) return ''
  const text = JSON.stringify(body, (name, value: unknown) => {
    if (typeof value !== 'string') return value
    if (SECRETS.test(name)) return WITHHELD
    const length = value.trimEnd().length
    return value.length > LONGEST_TEXT ? `${value.slice(0, SHOWN_OF_LONG).trim()}… (${length} characters)` : value
  })
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

/** @param keyHeader in which senders send their key */
export function shownHeaders(
  given: Readonly<Record<string, number | string | readonly string[] | undefined>>,
  keyHeader: string,
): Record<string, string> {
  const isSecret = (name: string) => SECRET_HEADERS.test(name) || name.toLowerCase() === keyHeader.toLowerCase()
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name.toLowerCase(), isSecret(name) ? WITHHELD : String(value).slice(0, LONGEST_TEXT)]),
  )
}
