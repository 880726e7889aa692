/** Compares answers with what a rule expects. Everything here throws a Deviation that says what came instead. */
import type * as z from 'zod'
import { describeIssues } from '../contract/error.ts'
import type { PlainAnswer } from './exchange.ts'
import { Deviation } from './verdict.ts'

export function expectStatus({ status }: PlainAnswer, ...expected: number[]): void {
  if (!expected.includes(status)) throw new Deviation(`answered ${status}, not ${expected.join(' or ')}`)
}

export function expectAccepted({ status }: PlainAnswer): void {
  if (!isSuccess(status)) throw new Deviation(`answered ${status}, not a 2xx`)
}

/** Any refusal of the caller will do where the interface names no status. */
export function expectRefused({ status }: PlainAnswer): void {
  if (status < 400 || status >= 500) throw new Deviation(`answered ${status}, not a 4xx`)
}

/** Returns the value as the schema reads it. */
export function expectShape<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value)
  if (!read.success) throw new Deviation(describeIssues(read.error).join('; '))
  return read.data
}

/** @param otherwise what is wrong when it is not so */
export function expectThat(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Deviation(otherwise)
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300
