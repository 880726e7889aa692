/** The table of operations rendered as an OpenAPI 3.1 document. No second description of the interface exists. */
import * as z from 'zod'
import { type Doc, docs } from './docs.ts'
import { StatusEvent, WEBHOOK_HEADERS } from './event.ts'
import { bodyResponses, commonResponses, type Operation, operations } from './operations.ts'

type Json = Record<string, unknown>

export function openapi({ version, serverUrl = '/' }: { version: string; serverUrl?: string }) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Document signature partner service',
      version,
      description: 'Send documents to physicians for signature and read the signed documents back.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(rows().map(([, { group }]) => group))].map((name) => ({ name })),
    security: [{ apiKey: [] }],
    paths: paths(),
    webhooks: { statusChanged: statusChanged() },
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: schemas(),
    },
  }
}

const rows = () => Object.entries(operations) as [string, Operation][]
const reference = (id: string) => `#/components/schemas/${id}`

function schemas(): Json {
  const rendered = z.toJSONSchema(docs, { io: 'input', uri: reference, metadata: docs, unrepresentable: 'any' }).schemas
  return Object.fromEntries(Object.entries(rendered).map(([id, schema]) => [id, plain(schema as Json)]))
}

function paths(): Json {
  const found: Record<string, Json> = {}
  for (const [operationId, operation] of rows()) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    found[path] = { ...found[path], [operation.method]: described(operationId, operation) }
  }
  return found
}

function described(operationId: string, operation: Operation): Json {
  const answers = {
    ...operation.responses,
    ...(operation.public ? {} : commonResponses),
    ...(operation.body ? bodyResponses : {}),
  }
  const meanings = operation.body ? MEANINGS_WITH_BODY : MEANINGS
  return {
    operationId,
    tags: [operation.group],
    summary: operation.summary,
    ...(operation.public && { security: [] }),
    parameters: [...parameters('path', operation.params), ...parameters('query', operation.query)],
    ...(operation.body && { requestBody: { required: true, content: content(operation.body) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, body]) => [
        status,
        { description: meanings[Number(status)], ...(body && { content: content(body) }) },
      ]),
    ),
  }
}

const MEANINGS: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  204: 'Success; no body',
  400: 'The request is refused; every error is named',
  401: 'The x-api-key header is missing',
  403: 'The key is unknown, expired or revoked',
  404: 'There is nothing with this id for this key',
  408: 'The body came too slowly',
  413: 'The document, or the body around it, is too large',
  415: 'The body is not plain application/json',
  429: 'Too many requests; Retry-After says when to go on',
  500: 'The service failed; nothing was changed',
  503: 'The store does not answer',
}

const MEANINGS_WITH_BODY: typeof MEANINGS = {
  ...MEANINGS,
  503: 'Too much is sent at once; Retry-After says when to try again',
}

const content = (schema: z.ZodType) => {
  const example = docs.get(schema)?.examples[0]
  return { 'application/json': { schema: rendered(schema), ...(example !== undefined && { example }) } }
}

/** A schema with an id is pointed at; any other stands where it is used. */
function rendered(schema: z.ZodType): Json {
  const id = docs.get(schema)?.id
  if (id) return { $ref: reference(id) }
  if (schema instanceof z.ZodArray) return { type: 'array', items: rendered(schema.element as z.ZodType) }
  return plain(z.toJSONSchema(schema, { io: 'input', metadata: docs, unrepresentable: 'any' }) as Json)
}

/** Without what belongs to a document of its own: schemas with an id stand under `components` and nowhere else. */
function plain({ $schema, $id, $defs, id, ...schema }: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', reference('')))
}

function parameters(place: 'path' | 'query', object?: z.ZodObject): Json[] {
  return Object.entries((object?.shape ?? {}) as Record<string, z.ZodType>).map(([name, schema]) => {
    const doc = docs.get(schema) as Doc
    return {
      name,
      in: place,
      required: place === 'path' || !schema.safeParse(undefined).success,
      description: doc.description,
      schema: doc.type ? { type: doc.type } : rendered(schema),
      example: doc.examples[0],
    }
  })
}

function statusChanged(): Json {
  return {
    post: {
      operationId: 'statusChanged',
      summary: 'A task changed its status',
      security: [],
      parameters: Object.values(WEBHOOK_HEADERS).map((name) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content: content(StatusEvent) },
      responses: { '2XX': { description: 'Received. Anything else is retried.' } },
    },
  }
}
