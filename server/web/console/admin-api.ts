/** Calls from the console to the operator's interface. */
import { call, type Method } from '../shared/api.ts'

/** The prefix of the operator's interface. */
export const ADMIN = '/admin/v1'

/** Returns the JSON of the answer, undefined where there is none. Throws an `ApiError`. The path is below `ADMIN`. */
export const callAdmin = <T>(method: Method, path: string, body?: unknown): Promise<T> =>
  call<T>(method, `${ADMIN}${path}`, body)
