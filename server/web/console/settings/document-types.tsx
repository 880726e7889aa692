/** The kinds of documents that all senders share. */
import type { DocumentTypeBody } from '../../../operations/operator/document-types.ts'
import { act, textsOf } from '../act.ts'
import { useLive } from '../live.ts'

export function DocumentTypes() {
  const [types, reload] = useLive<{ id: number; name: string; category: string }[]>('/admin/v1/document-types')
  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const { name = '', category = '' } = textsOf(event)
    const body: DocumentTypeBody = { name, category }
    if (await act(['POST', '/document-types'], body, `${name} is added.`, reload)) form.reset()
  }
  return (
    <section class="panel" aria-labelledby="document-types">
      <h2 id="document-types">Document types</h2>
      <ul class="types">
        {(types ?? []).map(({ id, name, category }) => (
          <li key={id}>
            <strong>{id}</strong> {name} <small>{category}</small>
          </li>
        ))}
      </ul>
      <form class="panel-form" onSubmit={(event) => void create(event)}>
        <label>
          Name of a new type
          <input name="name" required maxLength={200} />
        </label>
        <label>
          Category
          <input name="category" required maxLength={100} placeholder="Order" />
        </label>
        <button type="submit">Add document type</button>
      </form>
    </section>
  )
}
