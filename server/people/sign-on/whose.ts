/**
 * Whose account someone who comes from the provider may sign in to. Once an identity is linked, only that counts: an address
 * that the provider has given to another person lets no one in as the first.
 */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { actorOf } from '../../store/directory/sessions.ts'
import type { Linked } from '../../store/sign-in/identities.ts'
import type { Store } from '../../store/store.ts'
import type { Arrival } from './provider.ts'

export interface Finding {
  /** Null when there is no such account. */
  account: Linked | null
  /** Why no one is let in, as a sentence for the person; null when they may sign in. */
  problem: string | null
}

export interface FinderParts {
  store: Pick<Store, 'people' | 'identities'>
  clock: Clock
  /** The name of the provider on the pages. */
  name: string
  /** Whether every address that the provider gives is taken for verified. */
  trustsEmail: boolean
}

/** The same for accounts that are not there and accounts that are disabled. */
export const noAccount = (name: string) =>
  `${name} says who you are, but there is no account for you here. Ask the operator of this service for one.`

export const accountFinder =
  ({ store, clock, name, trustsEmail }: FinderParts) =>
  async ({ identity, email }: Arrival, ip: string): Promise<Finding> => {
    const linked = await store.identities.accountOf(identity)
    if (linked) return { account: linked, problem: linked.disabledAt === null ? null : noAccount(name) }
    const { address, isVerified } = await email()
    if (address === null || !(isVerified || trustsEmail)) return { account: null, problem: unverified(name, address) }
    const person = await store.people.findForSignIn(address)
    if (!person) return { account: null, problem: noAccount(name) }
    const account = { personId: person.id, organizationId: person.organizationId, disabledAt: null }
    const isLinked = await store.identities.link(identity, person.id, timeOf(clock), actorOf(person, ip))
    return { account, problem: isLinked ? null : belongsToAnother(name) }
  }

const unverified = (name: string, address: string | null) =>
  address === null
    ? `${name} gave no e-mail address, so your account cannot be found. Ask the operator of this service.`
    : `${name} has not verified your e-mail address, so it does not show which account is yours. Have it verified there, or ask the operator of this service.`

const belongsToAnother = (name: string) =>
  `The account of your e-mail address is linked to another identity at ${name}. Ask the operator of this service to unlink it.`
