/** The search field in the head of the console; the key / leads there. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../../shared/icon.tsx'
import { t } from '../../words/words.ts'
import { startSearch } from './search-state.ts'

export function SearchField() {
  const field = useRef<HTMLInputElement>(null)
  // Before the page is painted: a key that is pressed at once must not be lost.
  useLayoutEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      field.current?.select()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const words = field.current?.value.trim()
    if (words) startSearch(words)
  }
  return (
    <search>
      <form class="find" onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          aria-label={t('find.task')}
          aria-keyshortcuts="/"
          placeholder={t('find.what')}
          maxLength={200}
          autocomplete="off"
          spellcheck={false}
        />
        <kbd>/</kbd>
      </form>
    </search>
  )
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
