/**
 * What a rehearsal finds in each example: its failures without their scenarios, or why there is nothing to rehearse. Examples that
 * record what they promise have none. The others show one step and leave out the recording, which the rehearsal must say.
 */
export const verdicts: Readonly<Record<string, string | readonly string[]>> = {
  'Archive and file the signed PDF': [],
  'FHIR round trip': [],
  'File drop to signed file': [],
  'Preview the fields of a document':
    'The flows have no countersign-service that is enabled, so there is nothing to rehearse.',
  'Receive and send HL7 over MLLP':
    'No order of these flows reached the sandbox, so there is nothing to rehearse. Give messages that they understand with --messages.',
}
