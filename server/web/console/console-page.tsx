/** A page of the console: its title, what is next to the title, and its content. */
import type { ComponentChildren } from 'preact'
import { Icon } from '../shared/icon.tsx'
import { useTitle } from '../shared/title.ts'

interface ConsolePageProps {
  title: string
  /** The list that the page belongs to: a link before the title leads back to it. */
  back?: { route: string; name: string }
  /** Shown after the title. */
  tools?: ComponentChildren
  /** A class for a page that needs a layout of its own. */
  class?: string
  children: ComponentChildren
}

export function ConsolePage({ title, back, tools, class: layout = '', children }: ConsolePageProps) {
  const heading = useTitle(title)
  return (
    <main class={`console-page ${layout}`}>
      <div class="console-head">
        {back && (
          <a class="button quiet" href={`#/${back.route}`}>
            <Icon name="back" /> {back.name}
          </a>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {tools}
      </div>
      {children}
    </main>
  )
}
