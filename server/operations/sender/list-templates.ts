import type { SenderRun } from './sender-context.ts'

/** The templates of the caller's organization. */
export const run: SenderRun<'listTemplates'> = ({ store }) => store.templates.list()
