/** Describes invalid settings or an invalid profile in sentences. Pure. */
import type * as z from 'zod'
import { wirePath } from './wire-path.ts'

export interface WrongValue {
  /** Where it is, as in `profile.list.paging`; empty when the whole is no object. */
  path: string
  /** A description of valid values, without the value that was given. */
  right: string
}

/** Returns every wrong value. @param unknown what is said of a name that no one knows */
export const wrongValues = ({ issues }: Pick<z.ZodError, 'issues'>, unknown: string): WrongValue[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: wirePath([...issue.path, key]), right: unknown }))
      : [{ path: wirePath(issue.path), right: issue.message }],
  )
