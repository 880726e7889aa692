/** Sets how documents that viewers might show differently are treated. */
import type { DocumentRule } from '../../../../lib/pdf/plain/document-rules.ts'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { announce } from '../../shared/announce.tsx'
import { t } from '../../words/words.ts'
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
    if (chosen === documents) return announce(t('organization.unchanged'))
    void onChange({ documents: chosen }, t('organization.savedFuture'))
  }
  return (
    <section class="panel" aria-labelledby="documents">
      <h2 id="documents">{t('documents.title')}</h2>
      <p>{t('documents.text')}</p>
      {/* The key makes a new form when another person has changed the setting. */}
      <form class="panel-form" key={documents} onSubmit={save}>
        <label>
          {t('documents.when')}
          <select name="documents">
            {Object.entries(meanings).map(([rule, meaning]) => (
              <option key={rule} value={rule} selected={rule === documents}>
                {meaning}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">{t('verb.save')}</button>
      </form>
    </section>
  )
}

const meanings: Readonly<Record<DocumentRule, string>> = {
  auto: t('documents.auto'),
  draw: t('documents.draw'),
  refuse: t('documents.refuse'),
}
