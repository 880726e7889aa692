/** The rows of what a sender looks up before it creates a task. spec: Endpoints › Lookups */
import * as z from 'zod'
import { DocumentType, Provider, Template } from '../catalog.ts'
import { ErrorBody } from '../error.ts'
import { Npi } from '../primitives.ts'
import type { Operation } from './operation.ts'

export const lookUpOperations = {
  listDocumentTypes: {
    method: 'get',
    path: '/api/v1/documenttypes',
    group: 'Look-ups',
    summary: 'List the document types',
    responses: { 200: z.array(DocumentType) },
  },
  listTemplates: {
    method: 'get',
    path: '/api/v1/signature/templates',
    group: 'Look-ups',
    summary: 'List the templates of the organization',
    responses: { 200: z.array(Template) },
  },
  findProvider: {
    method: 'get',
    path: '/api/v1/users/providers/:npi',
    group: 'Look-ups',
    summary: 'Confirm by NPI that a provider is an active signer',
    params: z.object({ npi: Npi }),
    responses: { 200: Provider, 400: ErrorBody, 404: ErrorBody },
  },
} as const satisfies Record<string, Operation>
