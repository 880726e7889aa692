/** Makes or edits a template: fields are placed on a sample PDF, which stays in this browser and is sent nowhere. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FieldType } from '../../../../lib/contract/task/field-kinds.ts'
import type { TemplateBody, TemplateChangeBody, TemplateFile } from '../../../operations/operator/messages/templates.ts'
import { openReader, type Reader } from '../../pdf/reader.ts'
import { announce } from '../../shared/announce.tsx'
import { call, sentenceOf } from '../../shared/api.ts'
import { count } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { go } from '../../shared/route.ts'
import { useTitle } from '../../shared/title.ts'
import { FieldPanel } from './field-panel.tsx'
import { type DraftField, fieldAt } from './placing.ts'
import { TemplatePages } from './template-pages.tsx'
import { TemplateRules } from './template-rules.tsx'

interface TemplateEditorProps {
  /** Null for a new one. */
  templateId: number | null
}

export function TemplateEditor({ templateId }: TemplateEditorProps) {
  const [template, setTemplate] = useState<TemplateFile | null>(null)
  const [reader, setReader] = useState<Reader | null>(null)
  const [fields, setFields] = useState<DraftField[]>([])
  const [selected, setSelected] = useState<number | null>(null)
  const palette = useRef<HTMLFieldSetElement>(null)
  const [isBusy, setBusy] = useState(false)
  const title = templateId === null ? 'New template' : `Template ${templateId}`
  const heading = useTitle(title)
  // Asked for once: what somebody else changes meanwhile must not overwrite what is being edited here.
  useEffect(() => {
    if (templateId === null) return
    call<TemplateFile>('GET', `/admin/v1/templates/${templateId}`).then(
      (found) => {
        setTemplate(found)
        setFields(found.fields.map((field, index) => ({ ...field, key: index + 1 })))
      },
      (failure: unknown) => announce(sentenceOf(failure), 'wrong'),
    )
  }, [templateId])
  useEffect(() => () => reader?.close(), [reader])

  const open = async (file: File | undefined) => {
    if (!file) return
    try {
      const opened = await openReader(await file.arrayBuffer())
      const pages = Math.max(0, ...fields.map(({ page }) => page))
      if (opened.pages.length >= pages) return setReader(opened)
      opened.close()
      announce(`The template has fields up to page ${pages}. Choose a sample that has these pages.`, 'wrong')
    } catch {
      announce('This file cannot be shown. Choose a PDF.', 'wrong')
    }
  }
  const change = (field: DraftField) => setFields(fields.map((known) => (known.key === field.key ? field : known)))
  const remove = (key: number) => {
    setFields(fields.filter((known) => known.key !== key))
    // What had the focus is gone; without this it would begin at the top of the page again.
    palette.current?.querySelector('button')?.focus()
  }
  const add = (type: FieldType, number: number, left: number, top: number) => {
    const page = reader?.pages[number - 1]
    if (!page) return
    const key = Math.max(0, ...fields.map((known) => known.key)) + 1
    setFields([...fields, fieldAt(key, type, number, left, top, page)])
    setSelected(key)
  }
  const save = async (rules: Omit<TemplateBody, 'fields'>) => {
    setBusy(true)
    try {
      const body: TemplateBody = { ...rules, fields: fields.map(({ key, ...field }) => field) }
      announce(`Template ${await write(body, templateId)} is ready to be used.`)
      go('templates')
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
      setBusy(false)
    }
  }
  const chosen = fields.find(({ key }) => key === selected)

  return (
    <main class="console-page editor">
      <div class="console-head">
        <a class="button quiet" href="#/templates">
          <Icon name="back" /> Templates
        </a>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </div>
      {!reader && (templateId === null || template) && (
        <label class="sample">
          <Icon name="file" />
          <strong>Choose a sample PDF</strong>
          <span>
            {template ? `To see and move its ${count(fields.length, 'field')}. ` : ''}A blank or invented document of
            this kind. It stays in this browser.
          </span>
          <input
            type="file"
            accept="application/pdf,.pdf"
            onChange={(event) => void open(event.currentTarget.files?.[0])}
          />
        </label>
      )}
      {(reader || template) && (
        <div class={reader ? 'editor-columns' : ''}>
          {reader && (
            <TemplatePages
              palette={palette}
              reader={reader}
              fields={fields}
              selected={selected}
              onSelect={setSelected}
              onChange={change}
              onRemove={remove}
              onAdd={add}
            />
          )}
          <div class="editor-side">
            {reader && chosen && (
              <FieldPanel
                key={chosen.key}
                field={chosen}
                page={reader.pages[chosen.page - 1]!}
                onChange={change}
                onRemove={() => remove(chosen.key)}
              />
            )}
            <TemplateRules
              template={template}
              isReady={fields.length > 0 && !isBusy}
              onSave={(rules) => void save(rules)}
            />
          </div>
        </div>
      )}
    </main>
  )
}

/** The template's id. */
async function write({ organizationId, ...change }: TemplateBody, templateId: number | null): Promise<number> {
  if (templateId === null) {
    const body: TemplateBody = { organizationId, ...change }
    return (await call<{ templateId: number }>('POST', '/admin/v1/templates', body)).templateId
  }
  const body: TemplateChangeBody = change
  await call('PATCH', `/admin/v1/templates/${templateId}`, body)
  return templateId
}
