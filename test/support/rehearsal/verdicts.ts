/**
 * What a rehearsal finds in each example: nothing in those that keep every promise, in any scenario; in those that show one step alone,
 * what a flow that is made of them still lacks, even when all is well; or why there is nothing to rehearse.
 */
export const verdicts: Readonly<Record<string, string | readonly string[]>> = {
  'Answer an HTTP request with the signed PDF': [
    'The outcome Completed was not recorded after http response “the answer”',
  ],
  'Archive and file the signed PDF': [],
  'Catch mistakes before the inbox': [
    'The outcome Completed led nowhere after countersign-create-task of “Caught before the inbox”',
  ],
  'Choose document type and template by name': [
    'The outcome Completed was not recorded after countersign-wait of “Type and template”',
  ],
  'Correct an order that was held': [
    'The outcome Completed led nowhere after countersign-create-task of “Correct a held order”',
  ],
  'Correct and resend after a rejection': [
    'The outcome Completed was not recorded after countersign-wait of “Correct and resend”',
  ],
  'FHIR round trip': [],
  'File drop to signed file': [],
  'Follow up overdue orders': ['The outcome Completed led nowhere after countersign-retract of “Overdue orders”'],
  'Orders from a folder': [],
  'Place the fields in four ways': [
    'The outcome Completed was not recorded after countersign-wait of “Four placements”',
  ],
  'Preview the fields of a document':
    'The flows have no countersign-service that is enabled, so there is nothing to rehearse.',
  'Pull the plug': ['The outcome Completed was not recorded after countersign-wait of “Pull the plug”'],
  'Receive and send HL7 over MLLP':
    'No order of these flows reached the sandbox, so there is nothing to rehearse. Give messages that they understand with --messages.',
  'Receive orders over HTTP': ['The outcome Completed led nowhere after countersign-create-task of “Orders over HTTP”'],
  'Receive status events': ['The outcome Completed was not recorded after switch “which status”'],
  'Reconcile after an outage': [],
  'Record a rejection': ['The outcome Completed was not recorded after countersign-done of “Record a rejection”'],
  'Replace an order that was sent': [
    'The outcome Completed led nowhere after countersign-create-task of “Replace an order”',
  ],
  'Retract an order and send its correction': [
    'The outcome Completed led nowhere after countersign-retract of “Retract and correct”',
  ],
  'See why an order failed or waits for review': [
    'The outcome Completed was not recorded after countersign-wait of “Failed and in review”',
  ],
  'Send a document and wait for the signature': [],
  'Send an order from HL7': [],
  'Send for several organizations': [
    'The outcome Completed was not recorded after countersign-wait of “Several organizations”',
  ],
  'Survive a restart': ['The outcome Completed was not recorded after countersign-wait of “Survive a restart”'],
  'Worklist of open tasks': ['The outcome Completed led nowhere after countersign-create-task of “Worklist”'],
}
