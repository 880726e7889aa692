/** The operator's interface as an OpenAPI document, rendered from its table. */
import { describeEndpoints } from '../../../lib/contract/openapi/describe-endpoints.ts'
import { bodyResponses, commonResponses } from '../../../lib/contract/operations.ts'
import { callersOf } from './callers.ts'
import { operator } from './table.ts'

export const operatorOpenapi = ({ version }: { version: string }) =>
  describeEndpoints({
    title: 'Countersign, operator’s interface',
    description:
      'Set up and look after a service: organizations, keys, providers, templates, accounts, tasks and deliveries. An operator reaches everything, an administrator their own organization. Each operation says who may call it, in words and as `x-callers`.',
    version,
    serverUrl: '/',
    endpoints: operator,
    furtherOf: (operationId) => callersOf(operator[operationId]!),
    commonResponses,
    bodyResponses,
    security: [{ operatorKey: [] }, { session: [], pageToken: [] }],
    securitySchemes: {
      operatorKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description: 'A key that `countersign operator-keys create` made.',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-countersign',
        description: 'The session of the console.',
      },
      pageToken: {
        type: 'apiKey',
        in: 'header',
        name: 'x-page-token',
        description: 'Goes along with each change of a session.',
      },
    },
    meanings: {
      401: 'Neither an operator key nor a session was sent',
      403: 'The key is unknown, expired or revoked, or the caller may not do this',
    },
  })
