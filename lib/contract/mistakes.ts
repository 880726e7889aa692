/** Names that senders write in place of the right ones. Unknown fields are ignored, so a hint is added to the error they cause. */

interface Mistake {
  /** Path in the error. */
  error: string
  /** Path of what was sent instead. */
  sent: readonly string[]
  hint: string
}

const mistakes: readonly Mistake[] = [
  {
    error: 'document.annotations.templateId',
    sent: ['document', 'templateId'],
    hint: 'templateId belongs on document.annotations, not on document',
  },
  { error: 'patient.names', sent: ['patient', 'name'], hint: 'the field is names, an array' },
  { error: 'patient.addresses', sent: ['patient', 'address'], hint: 'the field is addresses, an array' },
  { error: 'patient.birthDate', sent: ['patient', 'dateOfBirth'], hint: 'the field is birthDate, not dateOfBirth' },
  { error: 'performers', sent: ['performer'], hint: 'the field is performers, an array of one' },
  { error: 'performers[0].signer', sent: ['performers', '0', 'userNPI'], hint: 'userNPI belongs on signer' },
  { error: 'performers[0].signer.userNPI', sent: ['performers', '0', 'signer', 'npi'], hint: 'the field is userNPI' },
  { error: 'active', sent: ['isActive'], hint: 'the field is active, not isActive' },
  { error: 'body', sent: ['isActive'], hint: 'the field is active, not isActive' },
]

/** Returns the errors, each that a known mistake explains with a hint at its end. @param body as it was sent, of any shape */
export function withHints(sentences: readonly string[], body: unknown): string[] {
  return sentences.map((sentence) => {
    const path = sentence.slice(0, sentence.indexOf(': '))
    const mistake = mistakes.find(({ error, sent }) => error === path && wasSent(body, sent))
    return mistake ? `${sentence} (${mistake.hint})` : sentence
  })
}

function wasSent(body: unknown, path: readonly string[]): boolean {
  let value = body
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
    value = (value as Record<string, unknown>)[name]
  }
  return true
}
