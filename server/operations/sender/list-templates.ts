import type { Operation } from './operation.ts'

/** The templates of the caller's organization. */
export const run: Operation<'listTemplates'> = ({ store }) => store.templates.list()
