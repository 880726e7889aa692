import type { Operation } from './operation.ts'

/** The templates of the caller's organization. */
export const listTemplates: Operation<'listTemplates'> = ({ store }) => store.templates.list()
