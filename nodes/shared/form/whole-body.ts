/** Which input of the create node's form gives a whole body. */
import { typedInput } from './evaluate.ts'
import type { FormReader } from './form-reader.ts'

/** The parts of a whole body. */
export const PARTS = ['patient', 'performers', 'document'] as const

/**
 * Returns the name of the input; null when the fields of the form make the body. A message that has a whole body in the place of the
 * PDF comes from an "order from …" node: it was made for this node, whatever the other fields say.
 */
export async function wholeBodyInput({ config, value }: FormReader): Promise<'body' | 'attachment' | null> {
  if (config.source === 'body') return 'body'
  if (typedInput(config, 'attachment').type !== 'msg') return null
  return isWholeBody(await value('attachment', 'document.attachment')) ? 'attachment' : null
}

const isWholeBody = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && PARTS.every((part) => part in given)
