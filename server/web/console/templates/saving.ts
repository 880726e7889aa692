/** Saves a template, once it is confirmed that none of its fields is for a signature where that is so. */
import { useState } from 'preact/hooks'
import { fieldKinds } from '../../../../lib/contract/task/field-kinds.ts'
import type { TemplateBody, TemplateChangeBody } from '../../../operations/operator/messages/templates.ts'
import type { DraftField } from '../../placing/draft-field.ts'
import { announce } from '../../shared/announce.tsx'
import { send, sentenceOf } from '../../shared/api.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { go } from '../../shared/route.ts'
import { t } from '../../words/words.ts'
import { ADMIN, callAdmin } from '../admin-api.ts'
import type { Rules } from './template-rules.tsx'

interface Work {
  /** Null for a new template. */
  templateId: number | null
  fields: readonly DraftField[]
  /** The PDF that was chosen here; null when none was. */
  sample: File | null
  /** Called before the page is left. */
  onSaved(): void
}

export function useSaving({ templateId, fields, sample, onSaved }: Work) {
  const [isSaving, setSaving] = useState(false)
  const [unconfirmed, setUnconfirmed] = useState<Rules | null>(null)
  const finish = async (rules: Rules, withoutSignature = false) => {
    setUnconfirmed(null)
    setSaving(true)
    const placed = fields.map(({ key, ...field }) => field)
    try {
      const saved = await write({ ...rules, fields: placed, ...(withoutSignature && { withoutSignature }) }, templateId)
      const lost = sample && (await keep(saved, sample))
      onSaved()
      go('templates')
      if (lost) announce(t('template.sampleLost', { id: String(saved), why: lost }), 'wrong')
      else announce(t('template.ready', { id: String(saved) }))
    } catch (failure) {
      announceFailure(failure)
      setSaving(false)
    }
  }
  return {
    isSaving,
    /** Rules whose fields have no signature among them, until someone has confirmed that. */
    unconfirmed,
    save: (rules: Rules) => (hasSignature(fields) ? void finish(rules) : setUnconfirmed(rules)),
    confirm: () => unconfirmed && void finish(unconfirmed, true),
    cancel: () => setUnconfirmed(null),
  }
}

/** Returns why the sample was not kept; null when it was. */
const keep = (templateId: number, sample: File): Promise<string | null> =>
  send('POST', `${ADMIN}/templates/${templateId}/sample`, sample, 'application/pdf').then(() => null, sentenceOf)

const hasSignature = (fields: readonly DraftField[]) =>
  fields.some(({ type }) => fieldKinds[type].value === 'signature')

/** Saves a new template, or the change of one, and returns its id. */
async function write({ organizationId, ...change }: TemplateBody, templateId: number | null): Promise<number> {
  if (templateId === null) {
    const body: TemplateBody = { organizationId, ...change }
    return (await callAdmin<{ templateId: number }>('POST', '/templates', body)).templateId
  }
  const body: TemplateChangeBody = change
  await callAdmin('PATCH', `/templates/${templateId}`, body)
  return templateId
}
