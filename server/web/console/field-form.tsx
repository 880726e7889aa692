/** A form whose fields each say what is wrong with them: what is missing, and what the service found. */
import { type ComponentChildren, createContext, type InputHTMLAttributes } from 'preact'
import { useContext, useId, useRef, useState } from 'preact/hooks'
import { ApiError, sentenceOf } from '../shared/api.ts'
import { t } from '../words/words.ts'
import { type Texts, textsOf } from './entry-form.tsx'

/** A sentence by the name of its field. Under the empty name, what concerns no field of the form. */
type Problems = Readonly<Record<string, string>>
const Problems = createContext<Problems>({})

interface FieldFormProps {
  /** On the button that sends the form. */
  verb: string
  isMain?: boolean
  /** Sends what was entered. What it throws is told next to the fields. */
  onSend(texts: Texts, data: FormData): Promise<unknown>
  children: ComponentChildren
}

export function FieldForm({ verb, isMain = true, onSend, children }: FieldFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [isBusy, setBusy] = useState(false)
  const say = (found: Problems) => {
    setProblems(found)
    const [first] = Object.keys(found)
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const target = event.currentTarget as HTMLFormElement
    if (isBusy) return
    const missing = missingIn(target)
    if (Object.keys(missing).length > 0) return say(missing)
    setBusy(true)
    try {
      const data = new FormData(target)
      await onSend(textsOf(data), data)
      setProblems({})
      target.reset()
    } catch (failure) {
      say(problemsOf(failure, target))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Problems.Provider value={problems}>
      <form ref={form} class="field-form" noValidate autocomplete="off" onSubmit={(event) => void submit(event)}>
        {children}
        <p class="problem" role="alert">
          {problems['']}
        </p>
        {/* Not disabled while the form is sent: the focus would be lost. */}
        <button type="submit" class={isMain ? 'primary' : ''} aria-disabled={isBusy}>
          {verb}
        </button>
      </form>
    </Problems.Provider>
  )
}

interface FieldProps {
  name: string
  label: string
  hint?: string
  type?: 'text' | 'email' | 'url' | 'password' | 'datetime-local'
  inputMode?: 'numeric' | 'url'
  autocomplete?: 'new-password'
  required?: boolean
  maxLength?: number
  placeholder?: string
  /** Entered already; optional, nothing by default. */
  value?: string
  onText?(text: string): void
}

export function Field({ name, label, hint, value, onText, ...given }: FieldProps) {
  const told = useTold(name)
  // The types of the attributes of an input know no type that is chosen later.
  const input = { ...given, defaultValue: value ?? '' } as InputHTMLAttributes<HTMLInputElement>
  return (
    <div class="field">
      <label>
        {label}
        <input name={name} {...told.of} {...input} onInput={(event) => onText?.(event.currentTarget.value)} />
      </label>
      {hint && <small>{hint}</small>}
      {told.problem}
    </div>
  )
}

interface ChoiceProps {
  name: string
  label: string
  /** The value and the name of each choice. */
  options: readonly (readonly [value: string, name: string])[]
  /** Shown while nothing is chosen; optional, and the first choice is chosen by default. */
  placeholder?: string
  /** Chosen already. */
  value?: string
  onChoose?(value: string): void
}

export function Choice({ name, label, options, placeholder, value, onChoose }: ChoiceProps) {
  const told = useTold(name)
  return (
    <div class="field">
      <label>
        {label}
        <select name={name} required {...told.of} onChange={({ currentTarget }) => onChoose?.(currentTarget.value)}>
          {placeholder && <option value="">{placeholder}</option>}
          {options.map(([chosen, shown]) => (
            <option key={chosen} value={chosen} selected={chosen === value}>
              {shown}
            </option>
          ))}
        </select>
      </label>
      {told.problem}
    </div>
  )
}

/** The sentence about what is wrong with a field, and the attributes that lead a screen reader there. */
function useTold(name: string) {
  const problem = useContext(Problems)[name]
  const id = useId()
  return {
    of: problem ? { 'aria-invalid': true, 'aria-describedby': id } : {},
    problem: problem && (
      <small id={id} class="field-problem" role="alert">
        {problem}
      </small>
    ),
  }
}

function missingIn(form: HTMLFormElement): Problems {
  const empty = [...form.elements].filter(
    (field): field is HTMLInputElement | HTMLSelectElement =>
      (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) &&
      field.required &&
      field.value.trim() === '',
  )
  return Object.fromEntries(
    empty.map(({ name, tagName }) => [name, t(tagName === 'SELECT' ? 'form.choose' : 'form.fillIn')]),
  )
}

/** An error of the service names the field that it is about before a colon. */
function problemsOf(failure: unknown, form: HTMLFormElement): Problems {
  if (!(failure instanceof ApiError)) return { '': sentenceOf(failure) }
  const found: Record<string, string> = {}
  for (const [index, error] of failure.withPaths.entries()) {
    const [, name = '', rest = ''] = /^(?:\w+(?:\[\d+\])?\.)*(\w+)(?:\[\d+\])?: (.+)$/s.exec(error) ?? []
    const isHere = name !== '' && form.elements.namedItem(name) !== null
    const sentence = isHere ? asSentence(rest) : (failure.errors[index] ?? '')
    const place = isHere ? name : ''
    found[place] = found[place] ? `${found[place]} ${sentence}` : sentence
  }
  return found
}

const asSentence = (text: string): string =>
  `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`
