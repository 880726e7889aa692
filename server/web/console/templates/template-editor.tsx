/** Makes or edits a template: its rules, and its fields, which are placed on a sample. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { TemplateFile } from '../../../operations/operator/messages/templates.ts'
import { type DraftFields, useDraftFields } from '../../placing/draft-fields.ts'
import { FieldPanel } from '../../placing/field-panel.tsx'
import { PlacingPages } from '../../placing/placing-pages.tsx'
import { SampleInput, useSample } from '../../placing/sample.tsx'
import { WithWords } from '../../placing/use-words.ts'
import { wordsOf } from '../../placing/words.ts'
import { bytesOf } from '../../shared/api.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { LeaveGuard } from '../../shared/dialogs/leave-guard.tsx'
import { t } from '../../words/words.ts'
import { ADMIN, callAdmin } from '../admin-api.ts'
import { ConsolePage } from '../console-page.tsx'
import { useSaving } from './saving.ts'
import { TemplateRules } from './template-rules.tsx'

interface TemplateEditorProps {
  /** Null for a new template. */
  templateId: number | null
  isOperator: boolean
}

export function TemplateEditor(props: TemplateEditorProps) {
  const words = useMemo(() => wordsOf((name) => t(`placing.${name}`)), [])
  return (
    <WithWords value={words}>
      <Editor {...props} />
    </WithWords>
  )
}

function Editor({ templateId, isOperator }: TemplateEditorProps) {
  const [isUnsaved, setUnsaved] = useState(false)
  const draft = watched(useDraftFields(), () => setUnsaved(true))
  const { fields, selected } = draft
  const [sample, open] = useSample(Math.max(0, ...fields.map(({ page }) => page)))
  const [chosen, setChosen] = useState<File | null>(null)
  const template = useTemplate(templateId, (found) => {
    draft.begin(found.fields)
    if (found.hasSample) void openKept(found.templateId, open)
  })
  const saving = useSaving({ templateId, fields, sample: chosen, onSaved: () => setUnsaved(false) })
  const choose = async (file: File) => {
    if (!(await open(file))) return
    setChosen(file)
    setUnsaved(true)
  }
  const palette = useRef<HTMLFieldSetElement>(null)
  const remove = (key: number) => {
    draft.remove(key)
    // The element that had the focus is gone: without this, the focus would go back to the top of the page.
    palette.current?.querySelector('button')?.focus()
  }
  // Below a sample, to choose another one.
  const sampleInput = (templateId === null || template) && (
    <SampleInput fieldCount={sample ? 0 : fields.length} onFile={(file) => void choose(file)} />
  )
  return (
    <ConsolePage
      class="editor"
      title={templateId === null ? t('template.new') : t('template.numbered', { id: String(templateId) })}
      back={{ route: 'templates', name: t('console.templates') }}
    >
      {!sample && sampleInput}
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
              isOperator={isOperator}
              isReady={fields.length > 0 && !saving.isSaving}
              onChange={() => setUnsaved(true)}
              onSave={saving.save}
            />
          </div>
        </div>
      )}
      {sample && sampleInput}
      <LeaveGuard
        title={t('template.leave')}
        holdsPage={isUnsaved}
        holdsPart={isUnsaved ? t('template.unsaved') : null}
      />
      {saving.unconfirmed && <WithoutSignature onConfirm={saving.confirm} onClose={saving.cancel} />}
    </ConsolePage>
  )
}

const WithoutSignature = (answers: { onConfirm(): void; onClose(): void }) => (
  <ConfirmDialog title={t('template.noSignature')} verb={t('template.saveWithout')} {...answers}>
    {t('template.noSignatureText')}
  </ConfirmDialog>
)

/** Opens the sample that is kept with a template. */
const openKept = (templateId: number, open: (file: Blob) => Promise<boolean>) =>
  bytesOf(`${ADMIN}/templates/${templateId}/sample`).then(
    (bytes) => open(new Blob([bytes])),
    (failure: unknown) => announceFailure(failure),
  )

/** Returns the same fields, and tells of each change. */
const watched = (draft: DraftFields, onChange: () => void): DraftFields => ({
  ...draft,
  add(...placed) {
    onChange()
    draft.add(...placed)
  },
  change(field) {
    onChange()
    draft.change(field)
  },
  remove(key) {
    onChange()
    draft.remove(key)
  },
})

/** Returns the template, null until it is there and for a new one. */
function useTemplate(templateId: number | null, onLoad: (template: TemplateFile) => void): TemplateFile | null {
  const [template, setTemplate] = useState<TemplateFile | null>(null)
  // Asked for once: what another person changes in the meantime must not overwrite what is being edited here.
  useEffect(() => {
    if (templateId === null) return
    callAdmin<TemplateFile>('GET', `/templates/${templateId}`).then(
      (found) => {
        setTemplate(found)
        onLoad(found)
      },
      (failure: unknown) => announceFailure(failure),
    )
  }, [templateId])
  return template
}
