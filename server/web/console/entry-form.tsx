/** A form that adds something: it is emptied once the service has taken what was entered, and kept as it is when not. */
import type { ComponentChildren } from 'preact'

export type Texts = Readonly<Record<string, string | undefined>>

interface EntryFormProps {
  class: string
  autocomplete?: 'off'
  /** Sends what was entered; null says that nothing was taken. */
  onEnter(texts: Texts, data: FormData): Promise<unknown>
  children: ComponentChildren
}

export function EntryForm({ onEnter, children, ...attributes }: EntryFormProps) {
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const data = new FormData(form)
    if ((await onEnter(textsOf(data), data)) !== null) form.reset()
  }
  return (
    <form {...attributes} onSubmit={(event) => void submit(event)}>
      {children}
    </form>
  )
}

/** Returns the trimmed texts of a form by the names of its inputs, without those that are empty. */
export const textsOf = (data: FormData): Texts =>
  Object.fromEntries(
    [...data].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
    ),
  )
