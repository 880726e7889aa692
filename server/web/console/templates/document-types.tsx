/** The document types, which all senders share, and the form for a new one. */
import type { DocumentTypeBody } from '../../../operations/operator/messages/document-types.ts'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { EntryForm, type Texts } from '../entry-form.tsx'
import { useLive } from '../live.ts'

export function DocumentTypes() {
  const [types, reload] = useLive<{ id: number; name: string; category: string }[]>('/document-types')
  const create = ({ name = '', category = '' }: Texts) => {
    const body: DocumentTypeBody = { name, category }
    return act('POST', '/document-types', { body, done: t('added', { name }), reload })
  }
  return (
    <section class="panel" aria-labelledby="document-types">
      <h2 id="document-types">{t('types.title')}</h2>
      <ul class="types">
        {(types ?? []).map(({ id, name, category }) => (
          <li key={id}>
            <strong>{id}</strong> {name} <small>{category}</small>
          </li>
        ))}
      </ul>
      <EntryForm class="panel-form" onEnter={create}>
        <label>
          {t('types.name')}
          <input name="name" required maxLength={200} />
        </label>
        <label>
          {t('types.category')}
          <input name="category" required maxLength={100} placeholder={t('types.example')} />
        </label>
        <button type="submit">{t('types.add')}</button>
      </EntryForm>
    </section>
  )
}
