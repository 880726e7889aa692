/** The selected field in numbers, to place it exactly, and without a pointer. */
import { fieldKinds, isForSigner } from '../../../lib/contract/task/field-kinds.ts'
import type { Box, PageSize } from '../../../lib/pdf/geometry.ts'
import { limitedText } from '../shared/text/limited-text.ts'
import { type DraftField, moved, resized } from './draft-field.ts'
import { useWords } from './use-words.ts'
import { filled } from './words.ts'

interface FieldPanelProps {
  field: DraftField
  page: PageSize
  onChange(field: DraftField): void
  onRemove(): void
}

export function FieldPanel({ field, page, onChange, onRemove }: FieldPanelProps) {
  const words = useWords()
  const { left, top, right, bottom } = field.box
  const place = (box: Box) => onChange({ ...field, box })
  const numbers = [
    [words.left, left, (value: number) => place(moved(field.box, value - left, 0, page))],
    [words.top, top, (value: number) => place(moved(field.box, 0, value - top, page))],
    [words.width, right - left, (value: number) => place(resized(field.box, value - (right - left), 0, page))],
    [words.height, bottom - top, (value: number) => place(resized(field.box, 0, value - (bottom - top), page))],
  ] as const
  return (
    <section class="panel" aria-label={words.selected}>
      <h2>
        {words[field.type]} <small>{filled(words.place, { page: field.page })}</small>
      </h2>
      <div class="numbers">
        {numbers.map(([name, value, change]) => (
          <label key={name}>
            {name}
            <input
              type="number"
              min="0"
              step="0.5"
              value={value}
              onChange={(event) => change(event.currentTarget.valueAsNumber || 0)}
            />
          </label>
        ))}
      </div>
      {isForSigner(field.type) && (
        <label class="check">
          <input
            type="checkbox"
            checked={field.required}
            onChange={(event) => onChange({ ...field, required: event.currentTarget.checked })}
          />
          {words.required}
        </label>
      )}
      {fieldKinds[field.type].value === 'text' && (
        <label>
          {words.initialText}
          <input
            value={field.value ?? ''}
            onInput={(event) => onChange({ ...field, value: limitedText(event.currentTarget) || null })}
          />
        </label>
      )}
      <button type="button" class="danger" onClick={onRemove}>
        {words.remove}
      </button>
    </section>
  )
}
