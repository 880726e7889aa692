/** Something the visitor does in the console: sent, told of, and what is shown asked for again. */
import { announce } from '../shared/announce.tsx'
import { call, type Method, sentenceOf } from '../shared/api.ts'

/** What the service answered, or null when it refused, which the visitor is told. What is shown is asked for in either case. */
export async function act<T>(
  [method, path]: readonly [Method, string],
  body: unknown,
  done: string,
  then: () => unknown,
): Promise<T | null> {
  try {
    const answer = await call<T>(method, `/admin/v1${path}`, body)
    announce(done)
    await then()
    return answer ?? ({} as T)
  } catch (failure) {
    announce(sentenceOf(failure), 'wrong')
    await then()
    return null
  }
}

/** The texts of a form, by the names of its inputs; an empty one is left out. */
export const textsOf = (event: SubmitEvent): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(event.currentTarget as HTMLFormElement)].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
    ),
  )
