/** The reasons for which ingestion fails a task: a person at the sender's help desk reads them. None repeats what was sent. */
export const failReasons = {
  ingestionOff:
    'Document ingestion is not enabled for the sending organization. Ask the service operator to enable it, then send the document again.',
  unknownSigner: 'No active signer has the NPI of this order. Check the NPI, then send the document again.',
  noOrganization:
    'The signer of this order has no active organization. Ask the service operator, then send the document again.',
  noSignatureField:
    'The document has no signature field, and the sending organization, or the template, requires one. Add an annotation of the type VisibleSignature, then send the document again.',
  noDocument: 'The document is no longer stored here. Send it again.',
  givenUp: 'The document could not be read in several attempts. Print it to PDF again and send it as a new task.',
} as const

export type FailReason = keyof typeof failReasons

/** Returns which of the reasons the text is; null for a fault of the document, and for what an operator wrote. */
export const failReasonOf = (text: string | null): FailReason | null =>
  (Object.keys(failReasons) as FailReason[]).find((reason) => failReasons[reason] === text) ?? null
