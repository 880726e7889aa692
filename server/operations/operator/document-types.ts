/** The kinds of documents that all senders may send; only an operator sees and adds them here. */
import * as z from 'zod'
import { DocumentType } from '../../../lib/contract/catalog.ts'
import { DocumentTypeBody } from './messages/document-types.ts'
import { OPERATOR_ALONE, operatorRow } from './operator-context.ts'

const about = { path: '/admin/v1/document-types', group: 'Document types', who: OPERATOR_ALONE } as const

export const listDocumentTypes = operatorRow({
  ...about,
  method: 'get',
  summary: 'List the document types',
  responses: { 200: z.array(DocumentType) },
  run: ({ store }) => store.documentTypes.list(),
})

export const createDocumentType = operatorRow({
  ...about,
  method: 'post',
  summary: 'Add a document type; its id is what senders give as documentTypeId',
  body: DocumentTypeBody,
  responses: { 201: z.object({ id: z.int() }) },
  run: async ({ store, at, by }, { body }) => ({ id: await store.documentTypes.create(body, at, by) }),
})
