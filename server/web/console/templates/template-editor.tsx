/** Makes or edits a template: its rules, and its fields, which are placed on a sample. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { TemplateBody, TemplateChangeBody, TemplateFile } from '../../../operations/operator/messages/templates.ts'
import { useDraftFields } from '../../placing/draft-fields.ts'
import { FieldPanel } from '../../placing/field-panel.tsx'
import { PlacingPages } from '../../placing/placing-pages.tsx'
import { SampleInput, useSample } from '../../placing/sample.tsx'
import { announce } from '../../shared/announce.tsx'
import { sentenceOf } from '../../shared/api.ts'
import { go } from '../../shared/route.ts'
import { callAdmin } from '../admin-api.ts'
import { ConsolePage } from '../console-page.tsx'
import { TemplateRules } from './template-rules.tsx'

interface TemplateEditorProps {
  /** Null for a new template. */
  templateId: number | null
}

export function TemplateEditor({ templateId }: TemplateEditorProps) {
  const draft = useDraftFields()
  const { fields, selected } = draft
  const template = useTemplate(templateId, (found) => draft.begin(found.fields))
  const [sample, open] = useSample(Math.max(0, ...fields.map(({ page }) => page)))
  const [isSaving, setSaving] = useState(false)
  const palette = useRef<HTMLFieldSetElement>(null)
  const remove = (key: number) => {
    draft.remove(key)
    // The element that had the focus is gone: without this, the focus would go back to the top of the page.
    palette.current?.querySelector('button')?.focus()
  }
  const save = async (rules: Omit<TemplateBody, 'fields'>) => {
    setSaving(true)
    try {
      const saved = await write({ ...rules, fields: fields.map(({ key, ...field }) => field) }, templateId)
      announce(`Template ${saved} is ready for use.`)
      go('templates')
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
      setSaving(false)
    }
  }
  return (
    <ConsolePage
      class="editor"
      title={templateId === null ? 'New template' : `Template ${templateId}`}
      back={{ route: 'templates', name: 'Templates' }}
    >
      {!sample && (templateId === null || template) && (
        <SampleInput fieldCount={fields.length} onFile={(file) => void open(file)} />
      )}
      {/* One tree with and without a sample, so that what was entered in the rules stays when a sample is chosen. */}
      {(sample || template) && (
        <div class={sample ? 'editor-columns' : ''}>
          {sample && <PlacingPages reader={sample} draft={draft} palette={palette} onRemove={remove} />}
          <div class="editor-side">
            {sample && selected && (
              <FieldPanel
                key={selected.key}
                field={selected}
                page={sample.pages[selected.page - 1]!}
                onChange={draft.change}
                onRemove={() => remove(selected.key)}
              />
            )}
            <TemplateRules
              template={template}
              isReady={fields.length > 0 && !isSaving}
              onSave={(rules) => void save(rules)}
            />
          </div>
        </div>
      )}
    </ConsolePage>
  )
}

/** Returns the template, null until it is there and for a new one. */
function useTemplate(templateId: number | null, onLoad: (template: TemplateFile) => void): TemplateFile | null {
  const [template, setTemplate] = useState<TemplateFile | null>(null)
  // Asked for once: what somebody else changes meanwhile must not overwrite what is being edited here.
  useEffect(() => {
    if (templateId === null) return
    callAdmin<TemplateFile>('GET', `/templates/${templateId}`).then(
      (found) => {
        setTemplate(found)
        onLoad(found)
      },
      (failure: unknown) => announce(sentenceOf(failure), 'wrong'),
    )
  }, [templateId])
  return template
}

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
