/** The organizations the visitor may see, and for an operator the way to a new one. */
import type { Organization, OrganizationBody } from '../../../operations/operator/messages/organizations.ts'
import { useTitle } from '../../shared/title.ts'
import { act, textsOf } from '../act.ts'
import { useLive } from '../live.ts'
import { AddressInputs, addressOf, shownAddress } from './address.tsx'

export function Organizations({ isOperator }: { isOperator: boolean }) {
  const [organizations, reload] = useLive<Organization[]>('/admin/v1/organizations')
  const heading = useTitle('Organizations')
  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const texts = textsOf(event)
    const address = addressOf(texts)
    const body: OrganizationBody = {
      name: texts.name ?? '',
      npi: texts.npi ?? null,
      addresses: address ? [address] : [],
      ingestionEnabled: texts.ingestion === 'on',
    }
    if (await act(['POST', '/organizations'], body, `${body.name} is added.`, reload)) form.reset()
  }
  return (
    <main class="console-page">
      <h1 ref={heading} tabIndex={-1}>
        Organizations
      </h1>
      {organizations && (
        <table>
          <thead>
            <tr>
              <th scope="col">Id</th>
              <th scope="col">Name</th>
              <th scope="col">NPI</th>
              <th scope="col">Addresses</th>
              <th scope="col">May send</th>
            </tr>
          </thead>
          <tbody>
            {organizations.map(({ id, name, npi, addresses, ingestionEnabled }) => (
              <tr key={id}>
                <th scope="row">{id}</th>
                <td data-label="Name">
                  <a href={`#/organizations/${id}`}>{name}</a>
                </td>
                <td data-label="NPI">{npi ?? '—'}</td>
                <td data-label="Addresses">{addresses.map(shownAddress).join('; ') || '—'}</td>
                <td data-label="May send">{ingestionEnabled ? 'yes' : 'no'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isOperator && (
        <form class="panel wide" onSubmit={(event) => void create(event)}>
          <h2>New organization</h2>
          <label>
            Name
            <input name="name" required maxLength={200} />
          </label>
          <label>
            NPI
            <input name="npi" inputMode="numeric" pattern="\d{10}" title="10 digits" />
          </label>
          <AddressInputs />
          <label class="check">
            <input type="checkbox" name="ingestion" />
            May send documents
          </label>
          <button type="submit" class="primary">
            Add organization
          </button>
        </form>
      )}
    </main>
  )
}
