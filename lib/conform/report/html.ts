/** A report as one page for people, with everything in it: it loads nothing. Deviations come first in each group, and are open. */
import type { Result } from '../conform.ts'
import { countsInWords, escaped, inGroups, leftInWords, type Report, type ReportedRule, titleOf } from './report.ts'
import { STYLE } from './style.ts'

export function htmlOf(report: Report): string {
  const { at, left } = report
  const words = countsInWords(report)
  const groups = inGroups(report).map(
    ([group, rules]) => `<section><h2>${escaped(group)}</h2>${[...rules].sort(byWeight).map(row).join('')}</section>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(titleOf(report))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(titleOf(report))}</h1>
<p>${escaped(at)}</p>
<ul class="counts">${RESULTS.map((result) => `<li class="${CLASSES[result]}">${words[result]}</li>`).join('')}</ul>
${leftOver(left)}
${groups.join('\n')}
</main>
</body>
</html>
`
}

const RESULTS: readonly Result[] = ['deviates', 'not tried', 'holds']
const CLASSES: Readonly<Record<Result, string>> = { deviates: 'deviates', 'not tried': 'untried', holds: 'holds' }
const MARKS: Readonly<Record<Result, string>> = { deviates: 'Deviates', 'not tried': 'Not tried', holds: 'Holds' }

const byWeight = (a: ReportedRule, b: ReportedRule) => RESULTS.indexOf(a.result) - RESULTS.indexOf(b.result)

function row({ name, spec, result, why, exchanges }: ReportedRule): string {
  const shown = exchanges.map((exchange) => `<pre>${escaped(JSON.stringify(exchange, null, 2))}</pre>`)
  return `<details${result === 'deviates' ? ' open' : ''}><summary><span class="mark ${CLASSES[result]}">${MARKS[result]}</span> ${escaped(name)}</summary>
<p>${why === null ? '' : `${escaped(why)}. `}<span class="spec">${escaped(spec)}</span></p>${shown.join('')}</details>`
}

function leftOver(left: Report['left']): string {
  const sentence = leftInWords(left)
  return sentence && `<p class="left">${sentence}</p>`
}
