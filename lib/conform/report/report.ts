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
  /** The title: the thing that was tried. Optional; `Conformance` by default. */
  title?: string
  /** Whose rules these are. */
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

/** Returns what a report is called. */
export const titleOf = ({ title = 'Conformance', host }: Pick<Report, 'title' | 'host'>): string =>
  `${title} of ${host}`

/** The rules by their groups, in the order in which they were tried. */
export function inGroups({ rules }: Pick<Report, 'rules'>): [group: string, rules: ReportedRule[]][] {
  const names = [...new Set(rules.map(({ group }) => group))]
  return names.map((name) => [name, rules.filter(({ group }) => group === name)])
}

/** Returns how the rules ended, in words, such as `1 deviates`. */
export const countsInWords = ({ counts }: Pick<Report, 'counts'>): Record<Result, string> => ({
  holds: `${counts.holds} ${counts.holds === 1 ? 'holds' : 'hold'}`,
  deviates: `${counts.deviates} ${counts.deviates === 1 ? 'deviates' : 'deviate'}`,
  'not tried': `${counts['not tried']} could not be tried`,
})

/** Returns a sentence about what is still at the host; an empty text when nothing is. */
export function leftInWords({ taskIds, subscriptionIds }: LeftOver): string {
  const named = [...idsInWords('task', taskIds), ...idsInWords('subscription', subscriptionIds)]
  return named.length === 0 ? '' : `Still at the host: ${named.join('; ')}.`
}

const idsInWords = (kind: string, ids: readonly number[]): string[] =>
  ids.length === 0 ? [] : [`${kind}${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`]

/** Text as it is in XML and HTML, without the characters that XML 1.0 refuses. */
export const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '�')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
