/** One field at its place on the page: what the signer fills in, or what will stand there. */
import type { VNode } from 'preact'
import { type FieldType, fieldKinds } from '../../../../lib/contract/task/field-kinds.ts'
import type { Field } from '../../../../lib/pdf/placement/placement.ts'
import { dateIn } from '../../../../lib/time-zone.ts'
import { boxStyle } from '../../pdf/box-style.ts'
import { ownTimeZone } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { limitedText } from '../../shared/limited-text.ts'
import type { FieldValue, Signature } from './draft.ts'

interface FieldViewProps {
  field: Field
  index: number
  /** `Signature, required, page 1` */
  label: string
  /** CSS pixels for each point. */
  scale: number
  /** How far beyond its box a checkbox can be tapped, in CSS pixels. */
  reach: number
  value: FieldValue | undefined
  signature: Signature | null
  signingName: string
  isNext: boolean
  onValue(value: FieldValue): void
  onSign(): void
  /** Opens the text in a dialog, where there is room to write. */
  onWrite(): void
}

/** In points, as the text is stamped. Where that is too small to read on the screen, the text is written in a dialog. */
const TEXT_SIZE = 10
const SMALLEST_LEGIBLE_PX = 11

export const fieldId = (index: number) => `field-${index}`

export function FieldView(props: FieldViewProps) {
  const { field, index, scale, isNext } = props
  const Control = controls[field.type]
  return (
    <div
      class={`field ${field.type} ${isNext ? 'next' : ''}`}
      style={{ ...boxStyle(field.box, scale), fontSize: `${TEXT_SIZE * scale}px` }}
      data-field={index}
      data-value={fieldKinds[field.type].value}
    >
      <Control {...props} />
    </div>
  )
}

/** What stands at the place of a field, for each kind. */
const controls: Readonly<Record<FieldType, (props: FieldViewProps) => VNode>> = {
  VisibleSignature: ({ field, index, label, scale, signature, signingName, onSign }) => (
    <button
      id={fieldId(index)}
      type="button"
      class={signature ? 'filled' : ''}
      aria-label={`${label}: ${signature ? signingName : 'Sign here'}`}
      onClick={onSign}
    >
      {signature?.kind === 'drawn' && <img src={`data:image/png;base64,${signature.png}`} alt="Your signature" />}
      {signature?.kind === 'typed' && <TypedName name={signingName} box={field.box} scale={scale} />}
      {!signature && (
        <span class="call">
          <Icon name="pen" /> Sign here
        </span>
      )}
    </button>
  ),
  DateSigned: ({ index }) => (
    <span class="date" id={fieldId(index)} title="Filled in when you sign">
      {dateIn(ownTimeZone(), new Date().toISOString())}
    </span>
  ),
  CheckBox: ({ field, index, label, reach, value, onValue }) => (
    <label>
      <input
        id={fieldId(index)}
        type="checkbox"
        aria-label={label}
        style={{ '--reach': `${reach}px` }}
        required={field.required}
        checked={value === true}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <Icon name="check" />
    </label>
  ),
  TextArea: ({ field, index, label, scale, value, onValue, onWrite }) =>
    TEXT_SIZE * scale < SMALLEST_LEGIBLE_PX ? (
      <button
        id={fieldId(index)}
        type="button"
        class="text"
        aria-label={`${label}: ${value || 'Write here'}`}
        onClick={onWrite}
      >
        {value || <span class="call">Write here</span>}
      </button>
    ) : (
      <textarea
        id={fieldId(index)}
        aria-label={label}
        required={field.required}
        placeholder={field.required ? 'Required' : 'Optional'}
        value={typeof value === 'string' ? value : ''}
        onInput={(event) => onValue(limitedText(event.currentTarget))}
      />
    ),
}

/** As large as it is stamped: as high as its box allows, and never wider than the box. */
function TypedName({ name, box, scale }: { name: string; box: Field['box']; scale: number }) {
  const widest = ((box.right - box.left) * 1.7) / Math.max(name.length, 1)
  const size = Math.min(22, (box.bottom - box.top) * 0.58, widest)
  return (
    <span class="hand" style={{ fontSize: `${size * scale}px` }}>
      {name}
    </span>
  )
}
