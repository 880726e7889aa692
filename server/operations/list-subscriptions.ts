import type { Operation } from './operation.ts'

/** The subscriptions of the caller's organization, without secrets. */
export const listSubscriptions: Operation<'listSubscriptions'> = ({ store }) => store.subscriptions.list()
