import type { Operation } from './operation.ts'

/** All document types; every sender may use each. */
export const listDocumentTypes: Operation<'listDocumentTypes'> = ({ shared }) => shared.documentTypes.list()
