import type { SenderRun } from '../sender-context.ts'

/** The subscriptions of the caller's organization, without secrets. */
export const run: SenderRun<'listSubscriptions'> = ({ store }) => store.subscriptions.list()
