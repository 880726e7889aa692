/** One field at its place on the page: the control that fills it in. What it was filled in with is part of the page below. */
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type FieldType, fieldKinds } from '../../../../lib/contract/task/field-kinds.ts'
import type { Field } from '../../../../lib/pdf/placement/placement.ts'
import { boxStyle } from '../../pdf/box-style.ts'
import { Icon } from '../../shared/icon.tsx'
import { limitedText } from '../../shared/text/limited-text.ts'
import { t } from '../../words/words.ts'
import { TextNote } from '../dialogs/text-note.tsx'
import type { FieldValue } from './draft.ts'
import { fieldId } from './show-field.ts'

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
  /** Whether the signature was given, which every signature field shows. */
  isSigned: boolean
  signingName: string
  isNext: boolean
  /** Whether the page below shows the field as it is filled in now. */
  isInked: boolean
  /** Whether its text, as it was drawn last, is too long to be read in its box. */
  isCrowded: boolean
  /** Called when the field comes into sight, and when it leaves it. */
  onSight(isInSight: boolean): void
  onValue(value: FieldValue): void
  onSign(): void
  /** Opens the text in a dialog, where there is room to write. */
  onWrite(): void
}

/** In points, as the text is stamped. Where that is too small to read on the screen, the text is written in a dialog. */
const TEXT_SIZE = 10
const SMALLEST_LEGIBLE_PX = 11

/** As much of a field has to be in the window to be in sight. */
const HALF = 0.5

export function FieldView(props: FieldViewProps) {
  const { field, index, scale, isNext, isInked, onSight } = props
  const Control = controls[field.type]
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => onSight(entries.at(-1)!.isIntersecting), { threshold: HALF })
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={place}
      class={`field ${field.type} ${isNext ? 'next' : ''} ${isInked ? 'inked' : ''}`}
      style={{ ...boxStyle(field.box, scale), fontSize: `${TEXT_SIZE * scale}px` }}
      data-field={index}
      data-value={fieldKinds[field.type].value}
    >
      <Control {...props} />
    </div>
  )
}

/** The control at the place of a field, for each kind. */
const controls: Readonly<Record<FieldType, (props: FieldViewProps) => VNode>> = {
  VisibleSignature: ({ index, label, isSigned, signingName, onSign }) => (
    <button
      id={fieldId(index)}
      type="button"
      class={isSigned ? 'filled' : ''}
      aria-label={`${label}: ${isSigned ? signingName : t('desk.signHere')}`}
      onClick={onSign}
    >
      {!isSigned && (
        <span class="call">
          <Icon name="pen" /> {t('desk.signHere')}
        </span>
      )}
    </button>
  ),
  DateSigned: ({ index }) => <span class="date" id={fieldId(index)} title={t('desk.filledIn')} />,
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
    </label>
  ),
  TextArea: ({ field, index, label, scale, value, isInked, isCrowded, onValue, onWrite }) => (
    <>
      {TEXT_SIZE * scale < SMALLEST_LEGIBLE_PX ? (
        <button
          id={fieldId(index)}
          type="button"
          class="text"
          aria-label={`${label}: ${value || t('desk.writeHere')}`}
          aria-describedby={`${fieldId(index)}-problem`}
          onClick={onWrite}
        >
          {!isInked && (value || <span class="call">{t('desk.writeHere')}</span>)}
        </button>
      ) : (
        <textarea
          id={fieldId(index)}
          aria-label={label}
          aria-describedby={`${fieldId(index)}-problem`}
          required={field.required}
          placeholder={field.required ? t('desk.required') : t('desk.optional')}
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => onValue(limitedText(event.currentTarget))}
        />
      )}
      <TextNote id={`${fieldId(index)}-problem`} text={typeof value === 'string' ? value : ''} isCrowded={isCrowded} />
    </>
  ),
}
