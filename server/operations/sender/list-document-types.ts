import type { Operation } from './operation.ts'

/** All document types; every sender may use each. */
export const run: Operation<'listDocumentTypes'> = ({ shared }) => shared.documentTypes.list()
