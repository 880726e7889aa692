/** How errors look, and how a schema's findings become sentences that name the path as sent. spec: Errors */
import * as z from 'zod'
import { docs } from './docs.ts'

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

/** One sentence per finding: `patient.names[0].given: at least one given name`. `allowed` names the keys of a strict object. */
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

/** Where it was found. The key of a record is the sender's own text, which is not repeated. */
const placeOf = ({ code, path }: z.core.$ZodIssue) => wirePath(code === 'invalid_key' ? path.slice(0, -1) : path)

/** More than anybody mends at once; a body that is wrong throughout must not make an answer of its own size. */
const MAX_SENTENCES = 500

/** `['names', 0, 'given']` as people write it: `names[0].given`. */
export function wirePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (at, step) => (typeof step === 'number' ? `${at}[${step}]` : at ? `${at}.${String(step)}` : String(step)),
    '',
  )
}

/** A parameter's name as it may be repeated to the sender. A long one is a misplaced value, which is nobody's to see. */
const shown = (key: string) => (/^[\w-]{1,40}$/.test(key) ? key : '(a parameter)')
