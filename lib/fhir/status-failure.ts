/** Which error an answer of a FHIR server represents. Of an OperationOutcome only codes are repeated: its texts may quote a patient. */
import { readJson } from '../client/answers/read-json.ts'
import { statusError } from '../client/status-error.ts'
import { FhirAnswerError } from './fhir-answer-error.ts'
import type { HttpAnswer } from './http.ts'

/** Returns null for a status that is no failure. */
export function failureOf(operation: string, answer: HttpAnswer): Error | null {
  const { status, headers, bytes } = answer
  const told = { status, headers, text: '', requestId: null, sent: [] }
  const failure = statusError(operation, told, () => [reasonIn(bytes, status)])
  if (failure || (status >= 200 && status < 300)) return failure
  return new FhirAnswerError(operation, status, 'no answer of a FHIR server')
}

function reasonIn(bytes: Buffer, status: number): string {
  const { issue, error } = (readJson(bytes.toString()) ?? {}) as { issue?: unknown; error?: unknown }
  const given = Array.isArray(issue) ? issue.map((one: { code?: unknown } | null) => one?.code) : [error]
  const codes = given.filter((code): code is string => typeof code === 'string' && /^[a-z][a-z_-]{1,39}$/.test(code))
  return codes.length > 0
    ? `the FHIR server says ${codes.slice(0, 10).join(', ')}`
    : `the FHIR server gave no reason for status ${status}`
}
