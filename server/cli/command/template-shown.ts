/** A template as the commands show it. */
import type { TemplateFile } from '../../operations/operator/messages/templates.ts'

/** Says of diagnosis codes what partners read: one flag for allowed, and one for required. */
export const inFlags = <T extends Pick<TemplateFile, 'diagnosisCode' | 'organizationId'>>({
  diagnosisCode,
  organizationId,
  ...template
}: T) => ({
  ...template,
  diagnosisCodeAllowed: diagnosisCode !== 'none',
  diagnosisCodeRequired: diagnosisCode === 'required',
})

/** Gives the number of its fields instead of the fields. */
export const inBrief = (template: TemplateFile) => ({ ...inFlags(template), fields: template.fields.length })
