import type { SenderRun } from './sender-context.ts'

/** Lists the templates of the caller's organization. */
export const run: SenderRun<'listTemplates'> = ({ store }) => store.templates.list()
