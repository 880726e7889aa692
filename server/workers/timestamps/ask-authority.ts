/** Sends queries to the timestamp authority. Knows nothing of what is in query and answer. */
import { MAX_TIMESTAMP_BYTES } from '../../choices.ts'
import type { TimestampProblem } from '../../domain/timestamp.ts'
import { postOnce, type Way } from '../post-once.ts'

export interface Authority extends Way {
  /** The URL, with the user where the authority requires one. */
  url: URL
  password: string | undefined
  /** Name and value of a further header. */
  header: readonly [name: string, value: string] | undefined
}

export type AuthorityAnswer = { answer: Buffer } | { problem: TimestampProblem }

/** Never rejects. */
export async function askAuthority(query: Uint8Array, authority: Authority): Promise<AuthorityAnswer> {
  const { url, password, header } = authority
  const headers = {
    'Content-Type': 'application/timestamp-query',
    Accept: 'application/timestamp-reply',
    ...(header && { [header[0]]: header[1] }),
  }
  const auth = url.username === '' ? {} : { auth: `${decodeURIComponent(url.username)}:${password ?? ''}` }
  const post = { url: withoutUser(url), headers, ...auth, body: query, maxAnswerBytes: MAX_TIMESTAMP_BYTES }
  const answer = await postOnce(post, authority)
  if ('failure' in answer) return { problem: answer.failure }
  return answer.status === 200 ? { answer: answer.body } : { problem: 'notGiven' }
}

/** The user goes into a header. */
function withoutUser(url: URL): URL {
  const bare = new URL(url)
  bare.username = ''
  return bare
}
