/** The options that say what is done with active content in the documents of an organization. */
import { type ActiveContentPolicy, type Treatment, treatments } from '../../../lib/pdf/prepare/active-content.ts'
import type { Given } from './administer.ts'
import { CommandError } from './command.ts'

/** What the command line names; nothing of what it leaves out. */
export function treatmentsOf(given: Given): Partial<ActiveContentPolicy> {
  const [javaScript, openAction, embeddedFiles] = names.map((name) => treatmentOf(name, given.text(name)))
  return {
    ...(javaScript && { javaScript }),
    ...(openAction && { openAction }),
    ...(embeddedFiles && { embeddedFiles }),
  }
}

const names = ['javascript', 'open-action', 'embedded-files'] as const

export const treatmentOptions = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))

function treatmentOf(name: string, wish: string | undefined): Treatment | undefined {
  const known = treatments.find((treatment) => treatment === wish)
  if (wish !== undefined && !known) throw new CommandError(`--${name}: one of ${treatments.join(', ')}`)
  return known
}
