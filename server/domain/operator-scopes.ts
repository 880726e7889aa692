/**
 * Acts that an operator key may do only when it was made for them, because their results outlive the key and give access to
 * others.
 */

export const operatorScopes = ['accounts', 'keys'] as const
/** `accounts`: accounts, their passwords, and second factors. `keys`: the keys with which organizations send, and the secrets of receivers. */
export type OperatorScope = (typeof operatorScopes)[number]

/** Writes scopes as they are kept: sorted, separated by a blank. */
export const scopesText = (scopes: readonly OperatorScope[]): string =>
  operatorScopes.filter((scope) => scopes.includes(scope)).join(' ')

export const scopesIn = (text: string): OperatorScope[] =>
  operatorScopes.filter((scope) => text.split(' ').includes(scope))
