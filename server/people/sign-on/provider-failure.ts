/** Errors of a provider, by what the user can do about them. Holds nothing that the provider sent but a code. */
/**
 * `away`: it may answer in a while. `declined`: it let the person go without signing them in. `untrusted`: what it sent does not
 * fit, or it refuses this service; only an operator can find out why.
 */
export type ProviderFault = 'away' | 'declined' | 'untrusted'

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly fault: ProviderFault
  /** The code for the log: of the library or of the protocol, or the status of an answer. */
  readonly code: string
  constructor(fault: ProviderFault, code: string) {
    super(`The provider of single sign-on: ${fault} (${code})`)
    this.fault = fault
    this.code = code
  }
}
