/** Saves a template, once it is confirmed that none of its fields is for a signature where that is so. */
import { useState } from 'preact/hooks'
import { fieldKinds } from '../../../../lib/contract/task/field-kinds.ts'
import type { TemplateBody, TemplateChangeBody } from '../../../operations/operator/messages/templates.ts'
import type { DraftField } from '../../placing/draft-field.ts'
import { announce } from '../../shared/announce.tsx'
import { sentenceOf } from '../../shared/api.ts'
import { go } from '../../shared/route.ts'
import { callAdmin } from '../admin-api.ts'
import type { Rules } from './template-rules.tsx'

/** @param onSaved is called before the page is left */
export function useSaving(templateId: number | null, fields: readonly DraftField[], onSaved: () => void) {
  const [isSaving, setSaving] = useState(false)
  const [unconfirmed, setUnconfirmed] = useState<Rules | null>(null)
  const write = async (rules: Rules, withoutSignature = false) => {
    setUnconfirmed(null)
    setSaving(true)
    const placed = fields.map(({ key, ...field }) => field)
    try {
      const saved = await send({ ...rules, fields: placed, ...(withoutSignature && { withoutSignature }) }, templateId)
      announce(`Template ${saved} is ready for use.`)
      onSaved()
      go('templates')
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
      setSaving(false)
    }
  }
  return {
    isSaving,
    /** Rules whose fields have no signature among them, until somebody has confirmed that. */
    unconfirmed,
    save: (rules: Rules) => (hasSignature(fields) ? void write(rules) : setUnconfirmed(rules)),
    confirm: () => unconfirmed && void write(unconfirmed, true),
    cancel: () => setUnconfirmed(null),
  }
}

const hasSignature = (fields: readonly DraftField[]) =>
  fields.some(({ type }) => fieldKinds[type].value === 'signature')

/** Saves a new template, or the change of one, and returns its id. */
async function send({ organizationId, ...change }: TemplateBody, templateId: number | null): Promise<number> {
  if (templateId === null) {
    const body: TemplateBody = { organizationId, ...change }
    return (await callAdmin<{ templateId: number }>('POST', '/templates', body)).templateId
  }
  const body: TemplateChangeBody = change
  await callAdmin('PATCH', `/templates/${templateId}`, body)
  return templateId
}
