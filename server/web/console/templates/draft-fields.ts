/** The fields of the template that is being edited, and which of them is selected. */
import { useState } from 'preact/hooks'
import type { FieldType } from '../../../../lib/contract/task/field-kinds.ts'
import type { Field } from '../../../../lib/pdf/placement/placement.ts'
import type { ReaderPage } from '../../pdf/reader.ts'
import { type DraftField, fieldAt } from './placing.ts'

export interface DraftFields {
  fields: readonly DraftField[]
  selected: DraftField | undefined
  /** Begins anew with the fields of a template. */
  begin(fields: readonly Field[]): void
  select(key: number): void
  /** Puts a new field on the page, with its top left at the point, and selects it. */
  add(type: FieldType, page: ReaderPage, left: number, top: number): void
  /** Replaces the field that has the same key. */
  change(field: DraftField): void
  remove(key: number): void
}

export function useDraftFields(): DraftFields {
  const [fields, setFields] = useState<readonly DraftField[]>([])
  const [selectedKey, select] = useState<number | null>(null)
  return {
    fields,
    selected: fields.find(({ key }) => key === selectedKey),
    begin: (found) => setFields(found.map((field, index) => ({ ...field, key: index + 1 }))),
    select,
    add(type, page, left, top) {
      const key = Math.max(0, ...fields.map((field) => field.key)) + 1
      setFields([...fields, fieldAt(key, type, page, left, top)])
      select(key)
    },
    change: (field) => setFields(fields.map((known) => (known.key === field.key ? field : known))),
    remove: (key) => setFields(fields.filter((field) => field.key !== key)),
  }
}
