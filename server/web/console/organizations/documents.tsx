/** Sets how documents that viewers might show differently are treated. */
import type { DocumentRule } from '../../../../lib/pdf/plain/document-rules.ts'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { announce } from '../../shared/announce.tsx'
import { textsOf } from '../entry-form.tsx'

interface DocumentsProps {
  file: OrganizationFile
  onChange(body: ChangeBody, done: string): Promise<unknown>
}

export function DocumentsForm({ file: { organization }, onChange }: DocumentsProps) {
  const { documents } = organization
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    const chosen = textsOf(new FormData(event.currentTarget as HTMLFormElement)).documents as DocumentRule
    if (chosen === documents) return announce('Nothing was changed.')
    void onChange({ documents: chosen }, 'Saved for documents that arrive from now on.')
  }
  return (
    <section class="panel" aria-labelledby="documents">
      <h2 id="documents">Documents that viewers show differently</h2>
      <p>
        Some PDFs look different in different viewers. Converted to pictures, their pages look the same everywhere, and
        the signer sees what is sealed.
      </p>
      {/* The key makes a new form when another person has changed the setting. */}
      <form class="panel-form" key={documents} onSubmit={save}>
        <label>
          When a PDF might look different
          <select name="documents">
            {Object.entries(meanings).map(([rule, meaning]) => (
              <option key={rule} value={rule} selected={rule === documents}>
                {meaning}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Save</button>
      </form>
    </section>
  )
}

const meanings: Readonly<Record<DocumentRule, string>> = {
  auto: 'Convert its pages to pictures',
  draw: 'Convert the pages of every PDF to pictures',
  refuse: 'Refuse the PDF',
}
