/** How errors look, and how a schema's findings become sentences that name the path as sent. spec: Errors */
import * as z from 'zod'
import { docs } from './docs.ts'
import { wirePath } from './wire-path.ts'

export const ErrorBody = z
  .object({
    errors: z.array(z.string()).register(docs, {
      title: 'Errors',
      description: 'Every error of the request, each naming the field as sent and what would be right.',
      examples: [['patient.sex: required; one of Male, Female, Unknown, Ambiguous (the field is sex, not gender)']],
    }),
  })
  .register(docs, {
    id: 'ErrorBody',
    title: 'Errors',
    description: 'The one shape of every error.',
    examples: [{ errors: ['performers[0].signer.userNPI: exactly 10 digits'] }],
  })
export type ErrorBody = z.infer<typeof ErrorBody>

/**
 * Returns a sentence per finding, such as `patient.names[0].given: at least one given name`, without the values that were sent.
 * @param allowed the parameters to name to a sender of an unknown one
 */
export function describeIssues(error: z.ZodError, allowed?: readonly string[]): string[] {
  const hint = allowed ? `; allowed: ${allowed.join(', ') || 'none'}` : ''
  const sentences = error.issues
    .slice(0, MAX_SENTENCES)
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `${shown(key)}: unknown parameter${hint}`)
        : [`${placeOf(issue) || 'body'}: ${issue.message}`],
    )
  const more = error.issues.length - MAX_SENTENCES
  return [...new Set(sentences), ...(more > 0 ? [`body: ${more} more errors`] : [])]
}

/** Where it was found. The key of a record is text of the sender's, which is not repeated. */
const placeOf = ({ code, path }: z.core.$ZodIssue) => wirePath(code === 'invalid_key' ? path.slice(0, -1) : path)

/** More than anyone fixes at once: the answer to a body that is wrong throughout must not be as large as the body. */
const MAX_SENTENCES = 500

/** The name of a parameter as the answer may repeat it. A long one is a misplaced value, which must not be seen in logs. */
const shown = (key: string) => (/^[\w-]{1,40}$/.test(key) ? key : '(a parameter)')
