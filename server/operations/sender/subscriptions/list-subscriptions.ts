import type { SenderRun } from '../sender-context.ts'

/** Lists the subscriptions of the caller's organization, without secrets. */
export const run: SenderRun<'listSubscriptions'> = ({ store }) => store.subscriptions.list()
