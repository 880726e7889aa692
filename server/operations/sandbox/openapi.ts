/** The control plane of a sandbox as an OpenAPI document, rendered from its table. */
import { describeEndpoints } from '../../../lib/contract/openapi/describe-endpoints.ts'
import { bodyResponses, commonResponses } from '../../../lib/contract/operations.ts'
import { sandbox } from './table.ts'

/** @param keyHeader in which senders send their key */
export const sandboxOpenapi = ({ version, keyHeader }: { version: string; keyHeader: string }) =>
  describeEndpoints({
    title: 'Countersign, sandbox',
    description: DESCRIPTION,
    version,
    serverUrl: '/',
    endpoints: sandbox,
    commonResponses,
    bodyResponses,
    security: [{ apiKey: [] }],
    securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: keyHeader } },
    meanings: {
      401: `The ${keyHeader} header is missing`,
      403: 'The key is unknown, expired or revoked',
    },
  })

const DESCRIPTION = `Act for the signer, let time pass, make things go wrong, and read what was sent. Only a sandbox has these
operations; production hosts do not. Everything concerns the organization of the key, except the clock, which all share.`
