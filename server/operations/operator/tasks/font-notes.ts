/** Names on a document for which the service has no font: an operator is told before a signer or an auditor finds out. */
import { isFinal } from '../../../../lib/contract/task/task-status.ts'
import { type CoveredCharacters, unstampableList } from '../../../../lib/pdf/text/ink-text.ts'
import type { TaskDetail } from '../messages/tasks.ts'

/** How the sentences end that are about a name without which nothing can be signed. */
export const STOPS_SIGNING = 'The document cannot be signed before that is changed.'

/** Returns a sentence for each such name, with what comes of it. choice: Fonts of ink */
export function fontNotes({ patient, signer, sender, status }: TaskDetail, covered: CoveredCharacters): string[] {
  const patientNames = (patient?.names ?? []).flatMap(({ family, given }) => [...given, family]).join(' ')
  const names = [
    ['patient', patientNames, 'The certificate page has the codes of these characters instead.'],
    ...(isFinal(status)
      ? []
      : [
          ['signer', signer, STOPS_SIGNING],
          ['sender', sender, STOPS_SIGNING],
        ]),
  ] as const
  return names.flatMap(([whose, name, outcome]) => {
    const missing = unstampableList(name, covered)
    return missing ? [`The name of the ${whose} has ${missing}, for which the service has no font. ${outcome}`] : []
  })
}
