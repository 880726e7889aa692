/** Takes the second factor away from someone who has lost it. */
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { idParams } from '../id-params.ts'
import { operatorRow, STAFF } from '../operator-context.ts'
import { found, isSelf } from './managed.ts'

export const removeSecondFactor = operatorRow({
  method: 'delete',
  path: '/admin/v1/accounts/:id/second-factor',
  group: 'Accounts',
  summary: 'Remove the second factor of a person who has lost it, which ends all their sessions',
  who: STAFF,
  scope: 'accounts',
  params: idParams('the account'),
  responses: { 204: null, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { id } }) {
    const { store, at, by } = context
    await found(context, id)
    // Someone who finds a page open must not be able to lay its account open.
    if (isSelf(context, id))
      throw new Refusal(
        'conflict',
        'This is your own account: turn its second factor off with a code, under Account at the head of the page.',
      )
    if (!(await store.secondFactors.remove({ personId: id, at, by })))
      throw new Refusal('conflict', 'This account has no second factor.')
  },
})
