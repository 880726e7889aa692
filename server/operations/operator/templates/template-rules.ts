/** Converts the rules of a template between the interface and the store. */
import type * as z from 'zod'
import { prefilled } from '../../../../lib/contract/task/field-kinds.ts'
import { unstampableProblem } from '../../../../lib/pdf/text/ink-text.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { asksForSignature } from '../../../domain/task/signature-place.ts'
import { coveredCharacters } from '../../../pdf/ink/covered.ts'
import type { StoredTemplate } from '../../../store/directory/templates.ts'
import type { TemplateChangeBody } from '../messages/templates.ts'
import { isOperator, type OperatorContext } from '../operator-context.ts'

export type Rules = Omit<StoredTemplate, 'templateId'>

/** The rules of a new template by default. */
export const NEW_TEMPLATE: Rules = {
  summary: '',
  clinicalDateLabel: '',
  diagnosisCodeAllowed: false,
  diagnosisCodeRequired: false,
  daysBefore: null,
  daysAfter: null,
  pdfRequired: true,
  isCustomTemplate: true,
  signatureRule: null,
  coversTokens: null,
  fields: [],
}

/** Returns what the body gives, and nothing of what it omits. */
export function changeOf({
  diagnosisCode,
  fields,
  withoutSignature: _,
  ...rest
}: z.output<typeof TemplateChangeBody>): Partial<Rules> {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given),
    ...(diagnosisCode && {
      diagnosisCodeAllowed: diagnosisCode !== 'none',
      diagnosisCodeRequired: diagnosisCode === 'required',
    }),
    ...(fields && {
      fields: fields.map((field) => ({ ...field, value: prefilled(field.type, field.value) })),
    }),
  }
}

/** Refuses fields of which none is for a signature, unless the body says that this is meant. choice: Documents without a signature field */
export function requireSignature({ fields, withoutSignature }: z.output<typeof TemplateChangeBody>): void {
  if (!fields || withoutSignature || asksForSignature(fields)) return
  throw new Refusal(
    'invalid',
    'fields: none of them is for a signature; add one of the type VisibleSignature, or confirm with withoutSignature: true',
  )
}

/** Refuses that an administrator of an organization does without signatures. choice: Documents without a signature field */
export function requireOperatorFor(
  { signatureRule }: Pick<z.output<typeof TemplateChangeBody>, 'signatureRule'>,
  context: OperatorContext,
): void {
  if (signatureRule !== 'notNeeded' || isOperator(context)) return
  throw new Refusal('forbidden', 'signatureRule: the operator of the service decides that no signature is needed')
}

/** Refuses texts of fields that could not be stamped. choice: Fonts of ink */
export function requireStampableValues({ fields = [] }: z.output<typeof TemplateChangeBody>): void {
  const covered = coveredCharacters()
  const problems = fields.flatMap(({ value }, index) => {
    const problem = value && unstampableProblem(value, covered)
    return problem ? [`fields[${index}].value: ${problem}`] : []
  })
  if (problems.length > 0) throw new Refusal('invalid', ...problems)
}

/** Returns the template as an answer shows it, with its organization. */
export function shown(template: StoredTemplate, { id, name }: { id: number; name: string }) {
  const { diagnosisCodeAllowed, diagnosisCodeRequired, ...rest } = template
  const diagnosisCode = diagnosisCodeRequired ? 'required' : diagnosisCodeAllowed ? 'allowed' : 'none'
  return { ...rest, organizationId: id, organization: name, diagnosisCode } as const
}
