/** The rules of a create that need more than the request: the catalog and the date. Pure. spec: Errors */
import type { DraftTask } from '../../../lib/contract/task/draft-task.ts'
import { type CoveredCharacters, unstampableProblem } from '../../../lib/pdf/text/ink-text.ts'

export interface TemplateRules {
  diagnosisCodeRequired: boolean
  clinicalDateLabel: string
  /** Days before and after today between which the clinical date must lie; null is unbounded. */
  daysBefore: number | null
  daysAfter: number | null
}

/** A null member is missing or malformed, and has its error from the schema already. */
export type Readable = Omit<DraftTask, 'attachment' | 'places' | 'values'>

export interface Catalog {
  documentTypeIsKnown: boolean
  /** Null when the organization has no template with the id. */
  template: TemplateRules | null
}

/** One sentence for each broken rule, in the order of the request. */
export function brokenRules(sent: Readable, { documentTypeIsKnown, template }: Catalog, today: string): string[] {
  const broken: string[] = []
  if (sent.birthDate !== null && sent.birthDate > today) broken.push('patient.birthDate: must not be in the future')
  if (sent.effectiveDate !== null && template) broken.push(...outsideWindow(sent.effectiveDate, template, today))
  if (sent.documentTypeId !== null && !documentTypeIsKnown)
    broken.push('document.documentTypeId: unknown; GET /api/v1/documenttypes lists the known ones')
  if (sent.templateId !== null && !template)
    broken.push('document.annotations.templateId: unknown; GET /api/v1/signature/templates lists the known ones')
  if (template?.diagnosisCodeRequired && !sent.hasDiagnosisCode)
    broken.push(`document.diagnosisCode: required by template ${sent.templateId}`)
  return broken
}

/**
 * One sentence for each pre-filled value that could not be stamped, and one for a template with such values, which was saved before
 * they were refused. choice: Fonts of ink
 */
export function unstampableValues(
  { values }: Pick<DraftTask, 'values'>,
  template: { fields: readonly { value: string | null }[] } | null,
  covered: CoveredCharacters,
): string[] {
  const own = values.flatMap((value, index) => {
    const problem = value && unstampableProblem(value, covered)
    return problem ? [`document.annotations.data[${index}].value: ${problem}`] : []
  })
  const ofTemplate = (template?.fields ?? []).map(({ value }) => value ?? '').join('')
  const problem = unstampableProblem(ofTemplate, covered)
  const ask = 'ask its administrator to save the template with other texts'
  return problem ? [...own, `document.annotations.templateId: must have fields with ${problem}; ${ask}`] : own
}

function outsideWindow(date: string, { clinicalDateLabel, daysBefore, daysAfter }: TemplateRules, today: string) {
  const first = daysBefore === null ? null : shifted(today, -daysBefore)
  const last = daysAfter === null ? null : shifted(today, daysAfter)
  if ((first === null || date >= first) && (last === null || date <= last)) return []
  const from = first === null ? '' : ` from ${first}`
  const to = last === null ? '' : ` to ${last}`
  return [`document.effectiveDate: outside the certification window of the template (${clinicalDateLabel}${from}${to})`]
}

/** Returns the calendar date the given number of days later. Dates are compared as text, because YYYY-MM-DD sorts as it counts. */
function shifted(date: string, days: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)
}
