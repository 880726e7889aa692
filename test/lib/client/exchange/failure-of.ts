/** What a call fails with. */
import { expect } from 'chai'

export type Failure = Error & { code: string; status?: number; requestId: string | null }

export const failureOf = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => expect.fail('it succeeded'),
    (failure) => failure,
  )
