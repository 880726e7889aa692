/** Makes a template: fields are dragged onto a sample PDF, which stays in this browser and is sent nowhere. */
import { useEffect, useState } from 'preact/hooks'
import type { FieldType } from '../../../lib/contract/document.ts'
import type { TemplateBody } from '../../console/messages.ts'
import { openReader, type Reader } from '../pdf/reader.ts'
import { announce } from '../shared/announce.tsx'
import { call, sentenceOf } from '../shared/api.ts'
import { Icon } from '../shared/icon.tsx'
import { go } from '../shared/route.ts'
import { useTitle } from '../shared/title.ts'
import { FieldPanel } from './field-panel.tsx'
import { type DraftField, fieldAt } from './placing.ts'
import { TemplatePages } from './template-pages.tsx'
import { TemplateRules } from './template-rules.tsx'

export function TemplateEditor() {
  const [reader, setReader] = useState<Reader | null>(null)
  const [fields, setFields] = useState<DraftField[]>([])
  const [selected, setSelected] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  const heading = useTitle('New template')
  useEffect(() => () => reader?.close(), [reader])

  const open = async (file: File | undefined) => {
    if (!file) return
    try {
      setReader(await openReader(await file.arrayBuffer()))
      setFields([])
    } catch {
      announce('This file cannot be shown. Choose a PDF.', 'wrong')
    }
  }
  const change = (field: DraftField) => setFields(fields.map((known) => (known.key === field.key ? field : known)))
  const remove = (key: number) => setFields(fields.filter((known) => known.key !== key))
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
      const { templateId } = await call<{ templateId: number }>('POST', '/console/api/templates', body)
      announce(`Template ${templateId} is ready to be used.`)
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
          New template
        </h1>
      </div>
      {!reader && (
        <label class="sample">
          <Icon name="file" />
          <strong>Choose a sample PDF</strong>
          <span>A blank or invented document of this kind. It stays in this browser.</span>
          <input
            type="file"
            accept="application/pdf,.pdf"
            onChange={(event) => void open(event.currentTarget.files?.[0])}
          />
        </label>
      )}
      {reader && (
        <div class="editor-columns">
          <TemplatePages
            reader={reader}
            fields={fields}
            selected={selected}
            onSelect={setSelected}
            onChange={change}
            onRemove={remove}
            onAdd={add}
          />
          <div class="editor-side">
            {chosen && (
              <FieldPanel
                key={chosen.key}
                field={chosen}
                page={reader.pages[chosen.page - 1]!}
                onChange={change}
                onRemove={() => remove(chosen.key)}
              />
            )}
            <TemplateRules isReady={fields.length > 0 && !isBusy} onSave={(rules) => void save(rules)} />
          </div>
        </div>
      )}
    </main>
  )
}
