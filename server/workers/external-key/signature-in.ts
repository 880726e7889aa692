/** Reads what a key management service answered. */
import { decodeBase64 } from '../../../lib/base64.ts'
import type { KeySigned } from '../../domain/external-key.ts'
import type { PostAnswer } from '../post-once.ts'

/** @param name the name of the signature in the JSON of the answer */
export function signatureIn(answer: PostAnswer, name: string): KeySigned {
  if ('failure' in answer) return { problem: answer.failure === 'tooLarge' ? 'unreadable' : answer.failure }
  if (answer.status >= 500 || answer.status === 429) return { problem: 'away' }
  if (answer.status !== 200) return { problem: 'refused' }
  const read = objectIn(answer.body.toString('utf8'))
  const value = read?.[name]
  const signature = typeof value === 'string' ? decodeBase64(value) : null
  return signature && signature.length > 0 ? { signature } : { problem: 'unreadable' }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
