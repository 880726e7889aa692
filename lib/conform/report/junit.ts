/** A report as JUnit XML, for CI: a test suite for each group, a test case for each rule. */
import { escaped, inGroups, type Report, type ReportedRule } from './report.ts'

export function junitOf(report: Report): string {
  const suites = inGroups(report).map(
    ([group, rules]) =>
      `  <testsuite name="${escaped(group)}" ${totals(rules)}>\n${rules.map(testCase).join('\n')}\n  </testsuite>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${escaped(report.title ?? 'Conformance')}" ${totals(report.rules)}>
${suites.join('\n')}
</testsuites>
`
}

const totals = (rules: readonly ReportedRule[]) =>
  `tests="${rules.length}" failures="${rules.filter(({ result }) => result === 'deviates').length}" ` +
  `errors="0" skipped="${rules.filter(({ result }) => result === 'not tried').length}"`

function testCase({ group, name, spec, result, why, exchanges }: ReportedRule): string {
  const head = `    <testcase classname="${escaped(group)}" name="${escaped(name)}"`
  if (result === 'holds') return `${head}/>`
  const message = escaped(`${why} (${spec})`)
  if (result === 'not tried') return `${head}><skipped message="${message}"/></testcase>`
  return `${head}><failure message="${message}">${escaped(JSON.stringify(exchanges, null, 1))}</failure></testcase>`
}
