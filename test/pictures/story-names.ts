/** The examples that tell a story, by the names of their pictures in docs/pictures/stories. */
export const stories = {
  'orders-from-a-folder': 'Orders from a folder',
  'hl7-in-hl7-out': 'Send an order from HL7',
  'caught-before-the-inbox': 'Catch mistakes before the inbox',
  rejected: 'Correct and resend after a rejection',
  'pull-the-plug': 'Pull the plug',
  'fhir-round-trip': 'FHIR round trip',
  worklist: 'Worklist of open tasks',
} as const
