/** An answer of a FHIR server that cannot be used. */

/** Something answers, but not as a FHIR server does. The caller checks the address, or reports it. */
export class FhirAnswerError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'FhirAnswerError'
  /** `UNEXPECTED_RESPONSE`. */
  readonly code = 'UNEXPECTED_RESPONSE'
  /** The HTTP status of the answer. */
  readonly status: number
  constructor(operation: string, status: number, reason: string) {
    super(`${operation}: ${reason} (status ${status}). Check the address of the FHIR server.`)
    this.status = status
  }
}
