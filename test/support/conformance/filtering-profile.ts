/** The profile of a host that is not ours and that filters its list of tasks, by parameters with names of its own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FILTERS } from '../../../lib/profile/list-habits.ts'
import { parseProfile } from '../../../lib/profile/parse-profile.ts'

export const acme = parseProfile(readFileSync(join(import.meta.dirname, '../foreign-host/acme.json'), 'utf8'))

export const filteringProfile = parseProfile({
  ...acme,
  list: {
    ...acme.list,
    filters: FILTERS,
    filterNames: {
      externalSavedDocumentIds: 'external_saved_document_ids',
      externalDocId: 'external_doc_id',
      isArchived: 'archived',
      isFiled: 'filed',
    },
  },
})
