/** What the fixtures of released versions hold, and the keys that open them. */
export const TEST_KEY = Buffer.alloc(32, 10).toString('base64')
/** `credentialSecret` of the Node-RED that kept the messages. */
export const SECRET = 'a secret of the tests'
/** Names the service in the journal. */
export const SCOPE = 'a service of the tests'

/** The ids of documents, and the payloads of messages. */
export const RELEASED = {
  signed: 'RELEASED-SIGNED',
  pending: 'RELEASED-PENDING',
  accepted: 'accepted by the release',
  held: 'held by the release',
} as const
