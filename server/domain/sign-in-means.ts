/** The means by which a signer was identified. Types only. */

/** The means by which a session was begun. `demo`: as a person of a sandbox’s demo, which anyone may. */
export type SignInMeans = 'password' | 'passwordAndCode' | 'singleSignOn' | 'demo'

/** `sandboxCall`: a sender signed for the signer. `demoSigner`: a script of the demo did. */
export type Authentication = SignInMeans | 'sandboxCall' | 'demoSigner'
