/** Renders a table of endpoints as an OpenAPI 3.1 document. */
import * as z from 'zod'
import { docs } from '../docs.ts'
import type { Answer, Endpoint } from '../endpoint.ts'

type Json = Record<string, unknown>

export interface Description {
  title: string
  description: string
  version: string
  serverUrl: string
  /** The endpoints by operation id. */
  endpoints: Readonly<Record<string, Endpoint>>
  /** Answers that every endpoint can give unless it is public. */
  commonResponses: Endpoint['responses']
  /** Answers that every endpoint with a body can give. */
  bodyResponses: Endpoint['responses']
  security: readonly Json[]
  securitySchemes: Json
  /** Returns further members for the operation, such as who may call it. */
  furtherOf?: (operationId: string) => Json
  /** Descriptions of statuses, where this interface differs from the usual meaning. */
  meanings: Readonly<Record<number, string>>
  webhooks?: Json
}

/** Returns the document. */
export function describeEndpoints(described: Description) {
  const { title, description, version, serverUrl, endpoints, security, securitySchemes, webhooks } = described
  const rows = Object.entries(endpoints)
  const paths = pathsOf(described)
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    tags: [...new Set(rows.map(([, { group }]) => group))].map((name) => ({ name })),
    security,
    paths,
    ...(webhooks && { webhooks }),
    components: { securitySchemes, schemas: schemasOf([paths, webhooks]) },
  }
}

const PREFIX = '#/components/schemas/'
const reference = (id: string) => PREFIX + id

/** The named schemas to which the description refers, directly or through others. */
function schemasOf(described: unknown): Json {
  const rendered = z.toJSONSchema(docs, { io: 'input', uri: reference, metadata: docs, unrepresentable: 'any' }).schemas
  const all = new Map(Object.entries(rendered).map(([id, schema]) => [id, plain(schema as Json)]))
  const wanted = new Set<string>()
  const follow = (value: unknown) => {
    for (const [, id = ''] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (wanted.has(id)) continue
      wanted.add(id)
      follow(all.get(id) ?? null)
    }
  }
  follow(described)
  return Object.fromEntries([...all].filter(([id]) => wanted.has(id)))
}

function pathsOf(described: Description): Json {
  const found: Record<string, Json> = {}
  for (const [operationId, endpoint] of Object.entries(described.endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    found[path] = { ...found[path], [endpoint.method]: operationOf(operationId, endpoint, described) }
  }
  return found
}

function operationOf(
  operationId: string,
  endpoint: Endpoint,
  { commonResponses, bodyResponses, meanings, furtherOf }: Description,
): Json {
  const answers: Endpoint['responses'] = {
    ...endpoint.responses,
    ...(endpoint.public ? {} : commonResponses),
    ...(endpoint.body ? bodyResponses : {}),
  }
  const meant = { ...(endpoint.body ? MEANINGS_WITH_BODY : MEANINGS), ...meanings }
  return {
    operationId,
    tags: [endpoint.group],
    summary: endpoint.summary,
    ...furtherOf?.(operationId),
    ...(endpoint.public && { security: [] }),
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(endpoint.body && { requestBody: { required: true, content: contentOf(endpoint.body) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, body]) => [
        status,
        {
          description: meant[Number(status)],
          ...(body && { content: contentOf(body) }),
        },
      ]),
    ),
  }
}

const MEANINGS: Readonly<Record<number, string>> = {
  200: 'Success',
  201: 'Created',
  204: 'Success; no body',
  400: 'The request is refused; every error is named',
  401: 'The key or the session is missing, unknown or expired',
  403: 'The caller may not do this',
  404: 'There is nothing with this id for the caller',
  409: 'It conflicts with the present state',
  408: 'The body came too slowly',
  413: 'The document, or the body around it, is too large',
  415: 'The body has a media type, a charset or an encoding that is not read here',
  429: 'Too many requests; Retry-After says when to go on',
  500: 'The service failed; nothing was changed',
  503: 'The store does not answer; Retry-After says when to try again',
}

const MEANINGS_WITH_BODY: typeof MEANINGS = {
  ...MEANINGS,
  503: 'Too much is being sent at once, or the store does not answer; Retry-After says when to try again',
}

function contentOf(body: Exclude<Answer, null>): Json {
  if (body === 'pdf') return { 'application/pdf': { schema: { type: 'string', format: 'binary' } } }
  if (body === 'csv') return { 'text/csv': { schema: { type: 'string' } } }
  if (body === 'stream') return { 'text/event-stream': { schema: { type: 'string' } } }
  return jsonContent(body)
}

export function jsonContent(schema: z.ZodType): Json {
  const example = docs.get(schema)?.examples[0]
  return { 'application/json': { schema: rendered(schema), ...(example !== undefined && { example }) } }
}

/** A schema with an id is referred to; any other is where it is used. */
function rendered(schema: z.ZodType): Json {
  const id = docs.get(schema)?.id
  if (id) return { $ref: reference(id) }
  if (schema instanceof z.ZodArray) return { type: 'array', items: rendered(schema.element as z.ZodType) }
  return plain(z.toJSONSchema(schema, { io: 'input', metadata: docs, unrepresentable: 'any' }) as Json)
}

/** A schema without the entries of a document of its own: schemas with an id stand under `components` and nowhere else. */
function plain({ $schema, $id, $defs, id, ...schema }: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', PREFIX))
}

function parameters(place: 'path' | 'query', object?: z.ZodObject): Json[] {
  return Object.entries((object?.shape ?? {}) as Record<string, z.ZodType>).map(([name, schema]) => {
    const doc = docs.get(schema)
    return {
      name,
      in: place,
      required: place === 'path' || !schema.safeParse(undefined).success,
      ...(doc && { description: doc.description }),
      schema: doc?.type ? { type: doc.type } : rendered(schema),
      ...(doc && { example: doc.examples[0] }),
    }
  })
}
