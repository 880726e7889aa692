import type { Operation } from '../operation.ts'

/** The subscriptions of the caller's organization, without secrets. */
export const run: Operation<'listSubscriptions'> = ({ store }) => store.subscriptions.list()
