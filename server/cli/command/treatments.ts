/** The options that say what is done with active content in the documents of an organization. */
import { type ActiveContentPolicy, type Treatment, treatments } from '../../../lib/pdf/prepare/active-content.ts'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'

export interface GivenTreatments {
  javascript?: Treatment
  openAction?: Treatment
  embeddedFiles?: Treatment
}

export const withTreatments = (command: Command): Command =>
  command
    .option(flags('javascript'), 'scripts and actions', treatmentOf('javascript'))
    .option(flags('open-action'), 'what happens when the document is opened', treatmentOf('open-action'))
    .option(flags('embedded-files'), 'attached files, sound and film', treatmentOf('embedded-files'))
    .addHelpText(
      'after',
      `
Of what acts by itself in a PDF: strip (the default) removes it before the signer
sees the document, and the certificate page says so; refuse turns the document
away; allow leaves it in the signed document.`,
    )

/** Returns only the treatments that the command line names. */
export const treatmentsOf = ({
  javascript,
  openAction,
  embeddedFiles,
}: GivenTreatments): Partial<ActiveContentPolicy> => ({
  ...(javascript && { javaScript: javascript }),
  ...(openAction && { openAction }),
  ...(embeddedFiles && { embeddedFiles }),
})

const flags = (name: string) => `--${name} <${treatments.join('|')}>`

const treatmentOf =
  (name: string) =>
  (given: string): Treatment => {
    const known = treatments.find((treatment) => treatment === given)
    if (!known) throw new CommandError(`--${name}: one of ${treatments.join(', ')}`)
    return known
  }
