/** The row of the health check. spec: Endpoints › Health */
import * as z from 'zod'
import { docs } from '../docs.ts'
import { ErrorBody } from '../error.ts'
import type { Operation } from './operation.ts'

const healthStatus = z
  .string()
  .optional()
  .register(docs, { title: 'Status', description: 'ok when the host is healthy.', examples: ['ok'] })

export const healthOperations = {
  checkHealth: {
    method: 'get',
    path: '/health-check',
    group: 'Health',
    summary: 'Whether the host is healthy',
    public: true,
    responses: {
      200: z.object({ status: healthStatus }).register(docs, {
        id: 'Health',
        title: 'Health',
        description: 'The host is healthy.',
        examples: [{ status: 'ok' }],
      }),
      503: ErrorBody,
    },
  },
} as const satisfies Record<string, Operation>
