/** The fields that are being placed, and which of them is selected. */
import { useRef, useState } from 'preact/hooks'
import type { FieldType } from '../../../lib/contract/task/field-kinds.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import type { ReaderPage } from '../pdf/reader.ts'
import { type DraftField, fieldAt } from './draft-field.ts'

export interface DraftFields {
  fields: readonly DraftField[]
  selected: DraftField | undefined
  /** Begins again with these fields, whose keys count from 1. */
  begin(fields: readonly Field[]): void
  select(key: number): void
  /** Puts a new field on the page, with its top left at the point, and selects it. */
  add(type: FieldType, page: ReaderPage, left: number, top: number): void
  /** Replaces the field that has the same key. */
  change(field: DraftField): void
  remove(key: number): void
}

const numbered = (fields: readonly Field[]) => fields.map((field, index) => ({ ...field, key: index + 1 }))

export function useDraftFields(initial: readonly Field[] = []): DraftFields {
  const [fields, setFields] = useState<readonly DraftField[]>(() => numbered(initial))
  /** The largest key that was given. The key of a field that was removed goes to no other. */
  const lastKey = useRef(initial.length)
  const [selectedKey, select] = useState<number | null>(null)
  return {
    fields,
    selected: fields.find(({ key }) => key === selectedKey),
    begin(found) {
      lastKey.current = found.length
      setFields(numbered(found))
    },
    select,
    add(type, page, left, top) {
      lastKey.current += 1
      const key = lastKey.current
      setFields([...fields, fieldAt(key, type, page, left, top)])
      select(key)
    },
    change: (field) => setFields(fields.map((known) => (known.key === field.key ? field : known))),
    remove: (key) => setFields(fields.filter((field) => field.key !== key)),
  }
}
