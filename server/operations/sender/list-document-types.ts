import type { SenderRun } from './sender-context.ts'

/** Lists all document types; every sender may use any of them. */
export const run: SenderRun<'listDocumentTypes'> = ({ shared }) => shared.documentTypes.list()
