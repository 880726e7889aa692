/** The partner interface as an OpenAPI 3.1 document, rendered from its table. No second description of it exists. */

import { WEBHOOK_HEADERS } from '../callback.ts'
import { StatusEvent } from '../event.ts'
import { bodyResponses, commonResponses, type Operation, operations } from '../operations.ts'
import { describeEndpoints, jsonContent } from './describe-endpoints.ts'

/** The parts of the interface that a host has in another form. */
export interface Spoken {
  /** Its operations, by name. */
  endpoints: Readonly<Record<string, Operation>>
  /** The header of the API key. */
  apiKeyHeader: string
  /** The status for a key that is not accepted. */
  wrongKey: 401 | 403
  /** The headers of callbacks. */
  webhookHeaders: readonly string[]
}

const AS_WORDED: Spoken = {
  endpoints: operations,
  apiKeyHeader: 'x-api-key',
  wrongKey: 403,
  webhookHeaders: Object.values(WEBHOOK_HEADERS),
}

export interface OpenapiOptions {
  /** The version that the document states. */
  version: string
  /** Where the paths begin. Optional; the host that serves the document by default. */
  serverUrl?: string
  /** Optional; as the interface is worded by default. */
  spoken?: Spoken
}

/**
 * Returns the document, as an object for JSON.
 * @param serverUrl where the paths begin; optional, the host that serves the document by default
 */
export function openapi({ version, serverUrl = '/', spoken = AS_WORDED }: OpenapiOptions) {
  const { endpoints, apiKeyHeader, wrongKey, webhookHeaders } = spoken
  const isOneStatus = wrongKey === 401
  return describeEndpoints({
    title: 'Document signature partner service',
    description: 'Send documents to physicians for signature and read the signed documents back.',
    version,
    serverUrl,
    endpoints,
    commonResponses,
    bodyResponses,
    security: [{ apiKey: [] }],
    securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: apiKeyHeader } },
    meanings: {
      401: `The ${apiKeyHeader} header is missing${isOneStatus ? ', or the key is unknown, expired or revoked' : ''}`,
      403: isOneStatus ? 'The key may not do this' : 'The key is unknown, expired or revoked',
      404: 'There is nothing with this id for this key',
    },
    webhooks: { statusChanged: statusChanged(webhookHeaders) },
  })
}

const statusChanged = (headers: readonly string[]) => ({
  post: {
    operationId: 'statusChanged',
    summary: 'A task changed its status',
    security: [],
    parameters: headers.map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: jsonContent(StatusEvent) },
    responses: { '2XX': { description: 'Received. Anything else is retried.' } },
  },
})
