import type { SenderRun } from './sender-context.ts'

/** All document types; every sender may use each. */
export const run: SenderRun<'listDocumentTypes'> = ({ shared }) => shared.documentTypes.list()
