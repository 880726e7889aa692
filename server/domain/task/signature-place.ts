/** Where the signature of a document goes. Pure. choice: Documents without a signature field */
import { fieldKind } from '../../../lib/contract/task/field-kinds.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'

/** An organization's rule for documents that have no signature field on their pages. */
export const signatureRules = ['required', 'atEnd', 'notNeeded'] as const
export type SignatureRule = (typeof signatureRules)[number]

/** The treatment of documents without a signature field, and of the text of tokens. */
export interface SigningRules {
  signatureRule: SignatureRule
  coversTokens: boolean
}

/** The rules that a template overrides; null follows its organization. */
export type Exceptions = { [Name in keyof SigningRules]: SigningRules[Name] | null }

/** Returns the rules for a document of an organization, with or without a template. */
export const rulesFor = (organization: SigningRules, template: Exceptions | null): SigningRules => ({
  signatureRule: template?.signatureRule ?? organization.signatureRule,
  coversTokens: template?.coversTokens ?? organization.coversTokens,
})

/**
 * `onPages`: into its fields. `certificatePage`: onto the page that is added at the end. `notAsked`: nowhere, unless the signer
 * gives one all the same, which then goes onto the certificate page.
 */
export type SignaturePlace = 'onPages' | 'certificatePage' | 'notAsked'

/** Returns null when the document lacks a signature field that its sender requires. */
export function signaturePlace(fields: readonly Pick<Field, 'type'>[], rule: SignatureRule): SignaturePlace | null {
  if (asksForSignature(fields)) return 'onPages'
  return { required: null, atEnd: 'certificatePage', notNeeded: 'notAsked' }[rule] as SignaturePlace | null
}

/** Whether one of the fields is for a signature. */
export const asksForSignature = (fields: readonly Pick<Field, 'type'>[]): boolean =>
  fields.some(({ type }) => fieldKind(type).value === 'signature')
