/** A report of a host: what was tried, how it ended, and the exchanges that show it. Plain JSON. */
import type { LeftOver } from '../clean-up.ts'
import type { Conformance, Result } from '../conform.ts'
import { type ToldExchange, told } from './told.ts'

export interface ReportedRule {
  group: string
  name: string
  spec: string
  result: Result
  why: string | null
  exchanges: ToldExchange[]
}

export interface Report {
  host: string
  /** ISO 8601. */
  at: string
  counts: Record<Result, number>
  rules: ReportedRule[]
  left: LeftOver
}

/** @param secrets what no report may hold, such as the keys */
export function reportOf(
  { findings, left }: Conformance,
  { baseUrl, at, secrets }: { baseUrl: string; at: Date; secrets: readonly string[] },
): Report {
  const rules = findings.map(({ exchanges, ...rule }) => ({
    ...rule,
    exchanges: exchanges.map((exchange) => told(exchange, secrets)),
  }))
  const count = (result: Result) => rules.filter((rule) => rule.result === result).length
  const counts = { holds: count('holds'), deviates: count('deviates'), 'not tried': count('not tried') }
  return { host: new URL(baseUrl).origin, at: at.toISOString(), counts, rules, left }
}

/** The rules by their groups, in the order in which they were tried. */
export function inGroups({ rules }: Pick<Report, 'rules'>): [group: string, rules: ReportedRule[]][] {
  const names = [...new Set(rules.map(({ group }) => group))]
  return names.map((name) => [name, rules.filter(({ group }) => group === name)])
}

/** Text as it stands in XML and HTML. XML takes no control characters. */
export const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML refuses
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '�')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
