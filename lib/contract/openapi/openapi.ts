/** The partner interface as an OpenAPI 3.1 document, rendered from its table. No second description of it exists. */

import { StatusEvent, WEBHOOK_HEADERS } from '../event.ts'
import { bodyResponses, commonResponses, operations } from '../operations.ts'
import { describeEndpoints, jsonContent } from './describe-endpoints.ts'

/**
 * Returns the document, as an object for JSON.
 * @param serverUrl where the paths begin; the host that serves the document when left out
 */
export function openapi({ version, serverUrl = '/' }: { version: string; serverUrl?: string }) {
  return describeEndpoints({
    title: 'Document signature partner service',
    description: 'Send documents to physicians for signature and read the signed documents back.',
    version,
    serverUrl,
    endpoints: operations,
    commonResponses,
    bodyResponses,
    security: [{ apiKey: [] }],
    securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    meanings: {
      401: 'The x-api-key header is missing',
      403: 'The key is unknown, expired or revoked',
      404: 'There is nothing with this id for this key',
    },
    webhooks: { statusChanged: statusChanged() },
  })
}

const statusChanged = () => ({
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
    requestBody: { required: true, content: jsonContent(StatusEvent) },
    responses: { '2XX': { description: 'Received. Anything else is retried.' } },
  },
})
